// Limits how much work of one kind runs at once in this process. Later callers wait in line.

export function createSlots(max: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;

  async function take(): Promise<void> {
    if (taken < max) taken++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function give(): void {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }

  return {
    get waiting() {
      return waiting.length;
    },
    /** Runs the work when a slot is free, in the order of the calls. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
