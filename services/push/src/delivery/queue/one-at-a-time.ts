// Runs a task on request, and never twice at the same time. Requests during a run cause one more run.

export interface OneAtATime {
  /** Starts a run. If a run is under way, starts one more run after it. */
  (): void;
  /** Resolves when no run is under way. */
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
