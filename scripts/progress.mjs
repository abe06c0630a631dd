// Says on stderr what takes so long: in one line that changes on a terminal, else in a line now and then.
const everyMs = 5_000;
const steps = new Map();
let shown = '';
let lastLine = 0;

export const progress = {
  /** The progress of a step; without a text it is done. */
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

  /** Makes room for other output. */
  clear() {
    if (shown) process.stderr.write('\r\x1b[K');
    shown = '';
    steps.clear();
  },
};
