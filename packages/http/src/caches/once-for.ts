/** Returns the function with a cache. It calls it once for each object, which must not change. */
export function onceFor<K extends object, V extends {}>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
