// Shows on stderr which steps take long. On a terminal it updates one line. Otherwise it prints a line from time to
// time.
const everyMs = 5_000;
const steps = new Map();
let shown = '';
let lastLine = 0;

export const progress = {
  /** Shows the progress of a step. A call without a text means that the step is done. */
  set(step, text) {
    const begun = !steps.has(step);
    if (text) steps.set(step, text);
    else steps.delete(step);
    const line = [...steps.values()].join(', ');
    if (process.stderr.isTTY) {
      const width = (process.stderr.columns || 80) - 1;
      process.stderr.write(`\r\x1b[K${line.slice(0, width)}`);
      shown = line;
    } else if (text && (begun || Date.now() - lastLine >= everyMs)) {
      lastLine = Date.now();
      console.error(text);
    }
  },

  /** Clears the progress line, so that there is room for other output. */
  clear() {
    if (shown) process.stderr.write('\r\x1b[K');
    shown = '';
    steps.clear();
  },
};
