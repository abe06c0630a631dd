// One clock for the processes of a test and the test itself: the machine's, and what a test lets pass besides. That lies in a
// file, so that a process that is not ours sees it at its next look.
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';

/**
 * Milliseconds since 1970, the same in every process: what one of them stores is never in the future of another. So two
 * looks may see the same millisecond; a test that wants an order lets time pass.
 */
export function readClock(file: string): () => number {
  const descriptor = openSync(file, 'r');
  const bytes = Buffer.alloc(8);
  return () => {
    readSync(descriptor, bytes, 0, 8, 0);
    return Date.now() + bytes.readDoubleLE();
  };
}

/**
 * In place: whoever looks while a file is cut off and written anew may see zeros, which is the machine's own clock.
 * @param ahead milliseconds before the machine's clock; whoever looks next sees them
 */
export function writeClock(file: string, ahead: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(ahead);
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT);
  writeSync(descriptor, bytes, 0, 8, 0);
  closeSync(descriptor);
}
