type Changes<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Changes<T[K]> : T[K];
};

/** Returns the fields that differ, at any depth. A form sends only these: it cannot show every value exactly. */
export function changesOf<T extends object>(before: T, after: T): Changes<T> {
  const names = Object.keys(after) as (keyof T & string)[];
  const changed = names.flatMap((name): [string, unknown][] => {
    const [old, value] = [before[name], after[name]];
    if (!isGroup(old) || !isGroup(value)) return JSON.stringify(old) === JSON.stringify(value) ? [] : [[name, value]];
    const inside = changesOf(old, value);
    return Object.keys(inside).length > 0 ? [[name, inside]] : [];
  });
  return Object.fromEntries(changed) as Changes<T>;
}

/** Returns what is stored with these changes, at any depth. */
export function applied<T extends object>(stored: T, changes: Changes<T>): T {
  const fields = Object.entries(changes as object).map(([name, value]): [string, unknown] => {
    const old = (stored as Record<string, unknown>)[name];
    return [name, isGroup(old) && isGroup(value) ? applied(old, value) : value];
  });
  return { ...stored, ...Object.fromEntries(fields) };
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values of a form: an empty text stands for `null`. */
type Entered<T> = T extends null
  ? ''
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { [K in keyof T]: Entered<T[K]> }
      : T;

/** Returns what the API has as a form enters it, at any depth: `null` becomes an empty text. */
export const entered = <T>(value: T): Entered<T> => mapped(value, (leaf) => leaf ?? '') as Entered<T>;

/** The way back: an empty text becomes `null`. */
export const stored = (value: unknown): unknown =>
  mapped(value, (leaf) => (typeof leaf === 'string' ? leaf.trim() || null : leaf));

const mapped = (value: unknown, map: (leaf: unknown) => unknown): unknown =>
  isGroup(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, mapped(inside, map)]))
    : map(value);

/** Returns the object that the text is as JSON, an empty object for no text, or null for anything else. */
export function objectOf(text: string): Record<string, never> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isGroup(value) ? (value as Record<string, never>) : null;
  } catch {
    return null;
  }
}
