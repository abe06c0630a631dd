// JSON without silent change: a number that JavaScript cannot hold comes back as what it is, instead of as another one.

/** Stands in the place of a number that would have been changed. */
export class ChangedNumber {
  /** The number as JavaScript reads it. */
  readonly became: number;

  constructor(became: number) {
    this.became = became;
  }

  /** The reason why it is refused. */
  get fault(): string {
    const made = Number.isFinite(this.became) ? `would become ${this.became}` : 'is too large to be kept';
    return `is a number that ${made}: send large numbers as strings`;
  }
}

/**
 * JSON.parse, with a {@link ChangedNumber} for each number that would be changed. Throws a SyntaxError, and a RangeError
 * when a text that may have such a number is nested thousands of levels deep.
 */
export const parseExactly = (text: string): unknown =>
  MAY_CHANGE.test(text) ? JSON.parse(text, keepChanged as Reviver) : JSON.parse(text);

/**
 * Every number that changes has one of these: 16 digits before its point, an exponent, or hundreds of zeros behind the
 * point. A string may have it, too; then only time is lost. Most texts have none of it, and JSON.parse is several times
 * faster without a reviver.
 */
const MAY_CHANGE = /[:,[\s-]\d{16}|\d[eE][+-]?\d+\s*[,}\]]|\.0{300}/;

type Reviver = (key: string, value: unknown) => unknown;
/** TypeScript does not know the source yet, which is there for primitive values alone. */
const keepChanged = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && isChanged(source!, value) ? new ChangedNumber(value) : value;

/**
 * Decimals are rounded as everywhere: 0.10000000000000001 is 0.1. What is beyond the safe integers must be printed as the
 * number that was written, and what is not zero must not become zero.
 */
export function isChanged(source: string, value: number): boolean {
  if (value !== 0 && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  if (!Number.isFinite(value)) return true;
  return normal(source) !== normal(String(value));
}

/** The same text for all ways to write one number: its digits from the first to the last that is not 0, and their place. */
function normal(literal: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)!;
  const digits = `${whole}${fraction}`;
  const from = digits.search(/[1-9]/);
  if (from < 0) return '0';
  let to = digits.length;
  while (digits[to - 1] === '0') to--;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}
