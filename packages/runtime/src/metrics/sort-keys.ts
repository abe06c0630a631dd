/**
 * Two values that differ only in the order of their keys then give the same JSON. An object with sorted keys and no
 * objects inside is not copied. Recursive: only for values that are at most some dozens of levels deep.
 */
export function sortKeys<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys) as T;
  const keys = Object.keys(value) as (keyof T & string)[];
  const inOrder = keys.every((key, i) => i === 0 || keys[i - 1]! < key);
  if (inOrder && keys.every((key) => typeof value[key] !== 'object')) return value;
  const sorted = {} as T;
  for (const key of inOrder ? keys : keys.sort()) {
    if (key === '__proto__') Object.defineProperty(sorted, key, { value: sortKeys(value[key]), ...ownField });
    else sorted[key] = sortKeys(value[key]);
  }
  return sorted;
}

const ownField = { enumerable: true, configurable: true, writable: true };
