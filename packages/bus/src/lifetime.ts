// The lifetime of a bus. It counts the messages in the bus, and ends pauses early when the bus stops.

export function createTally() {
  let counted = 0;
  let idlers: (() => void)[] = [];
  return {
    get counted() {
      return counted;
    },
    /** A negative number subtracts. */
    count(change: number): void {
      counted += change;
      if (counted > 0 || idlers.length === 0) return;
      for (const resolve of idlers) resolve();
      idlers = [];
    },
    idle: (): Promise<void> => (counted === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}

export type Lifetime = ReturnType<typeof createLifetime>;

export function createLifetime() {
  const { count, idle } = createTally();
  const sleepers = new Set<() => void>();
  return {
    state: 'new' as 'new' | 'running' | 'stopping' | 'stopped',
    /** True when the time to drain is over. Nothing is retried after that. */
    aborted: false,
    count,
    idle,
    /** Resolves after this number of milliseconds, or as soon as `wake` is called. */
    rest: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        sleepers.add(wake);
      }),
    wake() {
      for (const wake of sleepers) wake();
    },
  };
}
