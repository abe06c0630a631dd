// A backup is text in gzip, in lines. The first line describes it. Each table is a line with its name and columns, then
// its rows as COPY writes them, `\.`, and a line with their number and sum. The last line has the sequences: without
// it, the backup is not whole.
import { z } from 'zod';
import { lineEnds, type RowSums } from './row-sums.ts';

/** A later version raises it when this version could not read what it writes. */
export const FORMAT = 1;
export const END_OF_ROWS = '\\.';

export const Head = z.object({
  landfallBackup: z.number(),
  at: z.string(),
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Tables that the services make while they run. */
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
  /** By name: the secrets. */
  files: z.record(z.string(), z.string()),
});
export type Head = z.output<typeof Head>;

export const TableHead = z.object({ table: z.string(), columns: z.array(z.string()) });
export type TableHead = z.output<typeof TableHead>;
export const TableEnd = z.object({ rows: z.number(), sum: z.string() });
export const Tail = z.object({
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
});
export type Tail = z.output<typeof Tail>;

/** An error whose message is a sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const notWhole = () => new BackupError('The backup is not whole: it ends too early');

export type BackupReader = ReturnType<typeof readBackup>;

export function readBackup(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  const next = () =>
    chunks.next().catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'Z_BUF_ERROR') throw notWhole();
      if (!error.code?.startsWith('Z_')) throw error;
      throw new BackupError(`The file is no backup of Landfall, or it is damaged (${error.message})`);
    });

  async function more(): Promise<void> {
    const { value, done } = await next();
    if (done) throw notWhole();
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
  }

  return {
    async line(): Promise<unknown> {
      let end = rest.indexOf('\n');
      while (end === -1) {
        await more();
        end = rest.indexOf('\n');
      }
      const text = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      try {
        return JSON.parse(text);
      } catch {
        throw new BackupError('The file is no backup of Landfall');
      }
    },

    /** Adds each row to `sums`. */
    async *rows(sums: RowSums): AsyncGenerator<Buffer> {
      for (;;) {
        let start = 0;
        for (const end of lineEnds(rest)) {
          const line = rest.subarray(start, end);
          if (line.length === END_OF_ROWS.length && line.toString() === END_OF_ROWS) {
            const rows = rest.subarray(0, start);
            rest = rest.subarray(end + 1);
            if (rows.length > 0) yield rows;
            return;
          }
          sums.add(line);
          start = end + 1;
        }
        const rows = rest.subarray(0, start);
        rest = rest.subarray(start);
        if (rows.length > 0) yield rows;
        await more();
      }
    },

    /** Reads to the end, where gzip has its own sum. Throws when the file is damaged. */
    async end(): Promise<void> {
      if (rest.length > 0 || !(await next()).done) throw new BackupError('The backup goes on after its end');
    },
  };
}
