/**
 * Runs a task on request, and never twice at the same time. Requests during a run cause one more run.
 * @param run must not reject
 */
export function oneAtATime(run: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let again = false;
  const start = (): void => {
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
    /** Resolves when no run is under way. */
    async idle(): Promise<void> {
      while (running) await running;
    },
  });
}
