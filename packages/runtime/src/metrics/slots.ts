// A bound on how much of something is under way at once in this process; who comes later waits in line.

export interface Slots {
  /** Runs when there is a slot, first come, first served. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The number of waiting callers. */
  readonly waiting: number;
}

export function createSlots(max: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;

  async function take(): Promise<void> {
    if (taken < max) taken++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** To the next in line, or back. */
  function give(): void {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }

  return {
    get waiting() {
      return waiting.length;
    },
    async run(work) {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
