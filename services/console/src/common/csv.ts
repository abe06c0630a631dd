import { csvCell, MARK } from '@landfall/api-client/csv';
import { download, type Reply } from '@landfall/http';

export const CSV = 'text/csv';

export const csvFile = (name: string, lines: AsyncIterable<string>): Reply =>
  download(CSV, `${name}.csv`, withMark(lines));

async function* withMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = MARK;
  for await (const text of lines) {
    yield mark + text;
    mark = '';
  }
}

export async function* asCsv<C extends string>(
  columns: readonly C[],
  pages: AsyncIterable<readonly Record<C, unknown>[]>,
): AsyncGenerator<string> {
  // The first page comes with the heading, so that its refusal is the answer.
  let heading = `${columns.join()}\r\n`;
  for await (const rows of pages) {
    yield heading + rows.map((row) => `${columns.map((name) => csvCell(row[name])).join()}\r\n`).join('');
    heading = '';
  }
}

export async function* allPages<T>(
  read: (cursor: string | null) => Promise<{ rows: readonly T[]; next: string | null }>,
): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const page: { rows: readonly T[]; next: string | null } = await read(cursor);
    yield page.rows;
    cursor = page.next;
  } while (cursor !== null);
}
