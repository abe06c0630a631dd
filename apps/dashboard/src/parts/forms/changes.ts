type Changes<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Changes<T[K]> : T[K];
};

/**
 * Returns the fields that differ, at any depth. A form sends only these, so that it never changes a value that it cannot
 * show exactly.
 */
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

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
