// Parses JSON without silent changes. A number that JavaScript cannot hold becomes a marker, not another number.

export class ChangedNumber {
  /** The number that JavaScript would make of it. */
  readonly became: number;

  constructor(became: number) {
    this.became = became;
  }

  /** The reason for the refusal. */
  get fault(): string {
    const made = Number.isFinite(this.became) ? `would become ${this.became}` : 'is too large to be kept';
    return `is a number that ${made}: send large numbers as strings`;
  }
}

/**
 * Parses JSON, with a {@link ChangedNumber} for each number that would change. Throws a SyntaxError. Throws a
 * RangeError when a text that may have such a number is nested thousands of levels deep.
 */
export const parseExactly = (text: string): unknown =>
  MAY_CHANGE.test(text) ? JSON.parse(text, keepChanged) : JSON.parse(text);

/**
 * Matches every number that changes: it has 16 digits before its point, an exponent, or hundreds of zeros after the
 * point. Strings may match, too, which only costs time. Most texts do not match, and JSON.parse is several times faster
 * without a reviver.
 */
const MAY_CHANGE = /[:,[\s-]\d{16}|\d[eE][+-]?\d+\s*[,}\]]|\.0{300}/;

/** TypeScript does not know the source argument yet. It exists only for primitive values. */
const keepChanged = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && isChanged(source!, value) ? new ChangedNumber(value) : value;

/**
 * True when the number changes. Decimals are rounded as usual: 0.10000000000000001 is 0.1. A number beyond the safe
 * integers must print as it was written, and a number that is not zero must not become zero.
 */
export function isChanged(source: string, value: number): boolean {
  if (value !== 0 && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  if (!Number.isFinite(value)) return true;
  return normal(source) !== normal(String(value));
}

/** One text for all spellings of a number: its digits from the first to the last that is not 0, and their place. */
function normal(literal: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)!;
  const digits = `${whole}${fraction}`;
  const from = digits.search(/[1-9]/);
  if (from < 0) return '0';
  let to = digits.length;
  while (digits[to - 1] === '0') to--;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}
