import { cursorAfter } from '@landfall/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePages, type Page } from './audit.ts';

interface Entry {
  at: string;
  id: string;
}
const entry = (ms: number, n: number): Entry => ({
  at: new Date(1_000_000 + ms).toISOString(),
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
});
const place = ({ at, id }: Entry) => ({ at: new Date(at), id });
const order = (a: Entry, b: Entry) => Date.parse(b.at) - Date.parse(a.at) || (a.id > b.id ? -1 : 1);

/** Returns the answer of a service: at most `most` of the entries after the cursor. */
function pageOf(list: readonly Entry[], cursor: string | null, most: number): Page<Entry> {
  const known = list.toSorted(order).filter((one) => cursor === null || isBehind(one, cursor));
  const entries = known.slice(0, most);
  const last = entries.at(-1);
  return { entries, next: last && entries.length === most ? cursorAfter(place(last)) : null };
}
function isBehind({ at, id }: Entry, cursor: string): boolean {
  const [ms, cursorId] = cursor.split('_') as [string, string];
  return Date.parse(at) < Number(ms) || (Date.parse(at) === Number(ms) && id < cursorId);
}

it('pages of several lists return every entry once and in order, with any page length', () => {
  const list = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 25 });
  const most = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(list, list, list, most, fc.tuple(most, most, most), (one, two, three, limit, mosts) => {
      const lists = [one, two, three].map((times, n) => times.map((ms, i) => entry(ms, 3 * i + n)));
      const read: Entry[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<Entry> = mergePages(
          lists.map((one, n) => pageOf(one, cursor, Math.min(limit, mosts[n]!))),
          limit,
        );
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        read.push(...page.entries);
        cursor = page.next;
      } while (cursor !== null);
      expect(read).toEqual(lists.flat().toSorted(order));
    }),
  );
});
