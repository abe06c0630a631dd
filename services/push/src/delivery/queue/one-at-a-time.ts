// Work that is done when somebody asks for it, never twice at once, and once more when somebody asked meanwhile.

export interface OneAtATime {
  /** Begins, or has it done once more after the run that is under way. */
  (): void;
  /** Resolves when it does not run. */
  idle(): Promise<void>;
}

/** @param run must not reject */
export function oneAtATime(run: () => Promise<void>): OneAtATime {
  let running: Promise<void> | undefined;
  let again = false;
  const start = () => {
    if (running) {
      again = true;
      return;
    }
    running = run().then(() => {
      running = undefined;
      if (!again) return;
      again = false;
      start();
    });
  };
  return Object.assign(start, {
    async idle() {
      while (running) await running;
    },
  });
}
