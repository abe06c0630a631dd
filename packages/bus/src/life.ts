// The life of a bus: it counts the work in it, and ends rests early when it stops.

export interface Life {
  state: 'new' | 'running' | 'stopping' | 'stopped';
  /** The time to drain is over: nothing is tried again. */
  aborted: boolean;
  /** Takes messages in, or with a negative number lets them go. */
  count(messages: number): void;
  /** Resolves when there are no messages in the bus. */
  idle(): Promise<void>;
  /** Resolves after this many milliseconds, or as soon as {@link Life.wake} is called. */
  rest(ms: number): Promise<void>;
  wake(): void;
}

export function createLife(): Life {
  let messages = 0;
  let idlers: (() => void)[] = [];
  const sleepers = new Set<() => void>();

  return {
    state: 'new',
    aborted: false,
    count(change) {
      messages += change;
      if (messages > 0 || idlers.length === 0) return;
      for (const resolve of idlers) resolve();
      idlers = [];
    },
    idle: () => (messages === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    rest: (ms) =>
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
