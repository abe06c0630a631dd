// One clock for all relative times of a page, so that rows of one moment always say the same.
import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** @param say what to show at a time. A part is drawn again only when its text is another one. */
export const useClock = (say: (now: number) => string): string => useSyncExternalStore(listen, () => say(read()));

/** Browsers slow down the timers of pages that nobody sees, so the clock may be late. */
function read(): number {
  const at = Date.now();
  if (Math.abs(at - now) >= TICK_MS) now = at;
  return now;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const listener of listeners) listener();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
