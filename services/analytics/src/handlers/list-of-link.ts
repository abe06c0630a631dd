import type { One } from '@landfall/bus';
import { type ListLinkInstalls, type ListTaps, nextCursor, readCursor } from '@landfall/contracts';
import type { AnalyticsStore } from '../store.ts';

export const listTaps =
  (store: Pick<AnalyticsStore, 'taps'>): One<typeof ListTaps> =>
  async ({ cursor, ...asked }) => {
    const taps = await store.taps({ ...asked, after: readCursor(cursor) });
    const rows = taps.map(({ tapId: id, at }) => ({ id, at }));
    return { reply: { taps, next: nextCursor(rows, asked.limit, ({ at }) => at) } };
  };

export const listLinkInstalls =
  (store: Pick<AnalyticsStore, 'linkInstalls'>): One<typeof ListLinkInstalls> =>
  async ({ cursor, ...asked }) => {
    const found = await store.linkInstalls({ ...asked, after: readCursor(cursor) });
    const installs = found.map(({ id: _, ...install }) => install);
    return { reply: { installs, next: nextCursor(found, asked.limit, ({ at }) => at) } };
  };
