// The lifetime of a bus. It counts the messages in the bus, and ends pauses early when the bus stops.

export interface Lifetime {
  state: 'new' | 'running' | 'stopping' | 'stopped';
  /** True when the time to drain is over. Nothing is retried after that. */
  aborted: boolean;
  /** Adds messages to the count. A negative number removes messages. */
  count(messages: number): void;
  /** Resolves when no messages are in the bus. */
  idle(): Promise<void>;
  /** Resolves after this number of milliseconds, or as soon as {@link Lifetime.wake} is called. */
  rest(ms: number): Promise<void>;
  wake(): void;
}

export function createLifetime(): Lifetime {
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
