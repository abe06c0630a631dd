// A row is known by its cells, so a file that is corrected and sent again makes no link of an earlier row twice.
import { unmarked } from '@landfall/api-client/formulas';
import type { Table } from './table.ts';

/**
 * Returns the idempotency key of each row, by its number. The choice of columns is no part of it: the same row
 * with another choice is refused, and makes no second link.
 */
export async function keysOf({ names, rows }: Table): Promise<Map<number, string>> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const { bytesToHex } = await import('@noble/hashes/utils.js');
  const counts = new Map<string, number>();
  return new Map(
    rows.map(({ number, cells }) => {
      const text = JSON.stringify(cells.slice(0, names.length).map(withoutMarks));
      const hash = bytesToHex(sha256(new TextEncoder().encode(text)));
      const before = counts.get(hash) ?? 0;
      counts.set(hash, before + 1);
      return [number, `import-${hash}-${before}`];
    }),
  );
}

/** The file after an import has marks, and somebody may have taken its own columns off. */
function withoutMarks(cell: string): string {
  let text = cell;
  for (let less = unmarked(text); less !== text; less = unmarked(text)) text = less;
  return text;
}
