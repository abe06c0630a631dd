// Counts the sends of a provider that are under way, so that the provider does not close its connections during a send.

export interface UnderWay {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way; at once when nothing is under way now. */
  drained(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  let count = 0;
  let waiting: (() => void)[] = [];

  function end(): void {
    if (--count > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    async run(work) {
      count++;
      try {
        return await work();
      } finally {
        end();
      }
    },
    drained: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
