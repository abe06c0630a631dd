// One clock for the processes of a test and the test itself: the machine's, and what a test lets pass besides. That lies in a
// file, so that a process that is not ours sees it at its next look.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Milliseconds since 1970, a later one at each look of one process, so that no two of its messages are at once. */
export function readClock(file: string): () => number {
  const descriptor = openSync(file, 'r');
  const bytes = Buffer.alloc(8);
  let ahead = Number.NaN;
  let last = 0;
  return () => {
    readSync(descriptor, bytes, 0, 8, 0);
    // Another test's clock begins anew.
    if (bytes.readDoubleLE() !== ahead) last = 0;
    ahead = bytes.readDoubleLE();
    last = Math.max(last + 1, Date.now() + ahead);
    return last;
  };
}

/** @param ahead milliseconds before the machine's clock; whoever looks next sees them */
export function writeClock(file: string, ahead: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(ahead);
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, bytes, 0, 8, 0);
  closeSync(descriptor);
}
