// Limits how much work of one kind runs at once in this process. Later callers wait in line.

export interface Slots {
  /** Runs the work when a slot is free, in the order of the calls. */
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

  /** Gives the slot to the next caller in line, or frees it. */
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
