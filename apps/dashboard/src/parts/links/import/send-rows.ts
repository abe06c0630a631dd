// Sends the rows of a file, part by part: to be checked, or to be made.
import { client } from '../../../api/index.ts';
import type { ReadRows } from './import-rows.ts';

/** The maximum number of rows that one request takes. */
const AT_ONCE = 500;
/** The maximum number of bytes of these rows. The API takes 1 MB. */
const BYTES_AT_ONCE = 800_000;

export interface Fault {
  /** The row in the file. The header is row 1. */
  row: number;
  message: string;
}

export interface Sent {
  /** The places of good rows in `rows`. */
  good: number[];
  /** How many of them an earlier import has made. */
  existed: number;
  faults: Fault[];
  warnings: Fault[];
  /** Links that the plan has left. Null: no limit. */
  left: number | null;
  /** The links that were made, by their rows. */
  made: Map<number, { url: string; slug: string }>;
}

interface Sending {
  appId: string;
  rows: ReadRows['rows'];
  /** The places of the rows to send. */
  places: readonly number[];
  /** By the numbers of the rows. So a repeated import makes no link twice. */
  keys: ReadonlyMap<number, string>;
  dryRun: boolean;
  /** The name of the column that a field of the API comes from. */
  columnOf: (field: string) => string;
  /** The sentence for a row that was imported before as another link. */
  reused: string;
  onSent: (rows: number) => void;
  /** False: somebody has begun anew, and nothing more is sent. */
  goesOn: () => boolean;
}

/** Stops at the first part that fails as a whole. */
export async function sendRows({
  appId,
  rows,
  places,
  keys,
  dryRun,
  columnOf,
  reused,
  onSent,
  goesOn,
}: Sending): Promise<Sent> {
  const sent: Sent = { good: [], existed: 0, faults: [], warnings: [], left: null, made: new Map() };
  const links = places.map((place) => ({ ...rows[place]!.link, idempotencyKey: keys.get(rows[place]!.row)! }));
  for (const { from, to } of partsOf(links)) {
    if (!goesOn()) break;
    const { data } = await client.POST('/api/manage/apps/{appId}/links/import', {
      params: { path: { appId } },
      body: { links: links.slice(from, to), dryRun },
    });
    data!.outcomes.forEach((outcome, n) => {
      const place = places[from + n]!;
      const { row } = rows[place]!;
      if (outcome.success) {
        sent.good.push(place);
        if (outcome.existed) sent.existed++;
        if (outcome.warning !== undefined) sent.warnings.push({ row, message: outcome.warning });
        if (outcome.link) sent.made.set(row, { url: outcome.link.url, slug: outcome.link.slug });
      } else {
        const details = outcome.details?.map(({ path, message }) => `${columnOf(path)} ${message}`).join('; ');
        const message = outcome.code === 'IDEMPOTENCY_KEY_REUSED' ? reused : details || outcome.error;
        sent.faults.push({ row, message });
      }
    });
    if (from === 0) sent.left = data!.left;
    onSent(to);
  }
  return sent;
}

function* partsOf(links: readonly object[]): Generator<{ from: number; to: number }> {
  let from = 0;
  let bytes = 0;
  for (const [place, link] of links.entries()) {
    const size = new TextEncoder().encode(JSON.stringify(link)).length;
    if (place > from && (place - from === AT_ONCE || bytes + size > BYTES_AT_ONCE)) {
      yield { from, to: place };
      from = place;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < links.length) yield { from, to: links.length };
}
