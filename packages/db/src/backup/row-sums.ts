// Counts and sums up rows, to tell whether two tables hold the same, in whatever order.
import { hash } from 'node:crypto';

const NEWLINE = 10;
const HALF = 2 ** 48;

/** What a table holds: the number of its rows, and the sum of their hashes. */
export interface RowSum {
  rows: number;
  sum: string;
}

export function createRowSums() {
  let rows = 0;
  let high = 0;
  let low = 0;
  return {
    add(row: Uint8Array): void {
      const digest = hash('sha256', row, 'buffer');
      rows++;
      high = (high + digest.readUIntBE(0, 6)) % HALF;
      low = (low + digest.readUIntBE(6, 6)) % HALF;
    },
    result: (): RowSum => ({ rows, sum: [high, low].map((half) => half.toString(16).padStart(12, '0')).join('') }),
  };
}

export type RowSums = ReturnType<typeof createRowSums>;

export function* lineEnds(chunk: Buffer): Generator<number> {
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) yield at;
}

/** Passes rows on, one in a line, and adds each to `sums`. */
export async function* summed(source: AsyncIterable<Buffer>, sums: RowSums): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (const end of lineEnds(whole)) {
      sums.add(whole.subarray(start, end));
      start = end + 1;
    }
    rest = whole.subarray(start);
    if (start > 0) yield whole.subarray(0, start);
  }
}
