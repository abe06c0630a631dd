// Calls those who rely on an answer for a long time when something that they rely on may have changed.

export function createWatchers() {
  const byId = new Map<string, Set<() => void>>();
  return {
    /** Calls `seen` for each change of one of the ids, and when changes may have been missed. Returns the end of it. */
    watch(ids: readonly string[], seen: () => void): () => void {
      // An own function: the same `seen` may watch twice.
      const call = () => seen();
      for (const id of ids) {
        const calls = byId.get(id);
        if (calls) calls.add(call);
        else byId.set(id, new Set([call]));
      }
      return () => {
        for (const id of ids) {
          const calls = byId.get(id);
          calls?.delete(call);
          if (calls?.size === 0) byId.delete(id);
        }
      };
    },
    changed(id: string): void {
      for (const call of [...(byId.get(id) ?? [])]) call();
    },
    /** Changes may have been missed: calls everybody. */
    doubt(): void {
      for (const call of new Set([...byId.values()].flatMap((calls) => [...calls]))) call();
    },
  };
}
