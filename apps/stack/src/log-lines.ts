/** Writes the lines of many processes as one log that a person can read. */
export function logWriter(write: (text: string) => void, names: readonly string[], colours: boolean) {
  const width = Math.max(...names.map((name) => name.length));
  const paint = (code: number, text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
  return (name: string, line: string): void => {
    const label = paint(NAME_COLOURS[Math.max(0, names.indexOf(name)) % NAME_COLOURS.length]!, name.padEnd(width));
    const entry = entryOf(line);
    if (!entry) return void write(`${label}  ${line}\n`);
    const { level, time, msg, rest, stack } = entry;
    const shown = LEVEL_COLOURS[level] ? paint(LEVEL_COLOURS[level], level) : level;
    const head = [label, paint(GREY, time), shown, msg].filter(Boolean).join('  ');
    write(`${head}${rest === '' ? '' : `  ${paint(GREY, rest)}`}\n`);
    for (const traced of stack) write(`${label}      ${paint(GREY, traced)}\n`);
  };
}

const GREY = 90;
const NAME_COLOURS = [36, 32, 35, 34, 33, 96, 92, 95, 94, 93];
const LEVEL_COLOURS: Record<string, number> = { fatal: 31, error: 31, warn: 33 };

/** Parses a line of our logger. Returns undefined for any other line. */
function entryOf(line: string) {
  if (!line.startsWith('{')) return undefined;
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { level, time, msg, service: _service, instance: _instance, err, ...others } = fields;
  if (typeof level !== 'string' || typeof time !== 'string') return undefined;
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
  const rest = Object.entries(others).map(([name, value]) => `${name}=${plain(value)}`);
  return {
    level,
    /** The time of day. */
    time: time.slice(11, 23),
    msg: String(msg ?? message ?? ''),
    rest: rest.join(' '),
    stack: (stack ?? '').split('\n').filter((traced) => traced !== ''),
  };
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
