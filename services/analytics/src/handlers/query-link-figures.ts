import type { One } from '@landfall/bus';
import type { QueryLinkFigures } from '@landfall/contracts';
import type { FigureStore } from '../store.ts';

const NONE = { clicks: 0, installs: 0, lastTapAt: null };

/** Counts the taps and installs of links on the last days, in the zone of the app. */
export function queryLinkFigures(store: FigureStore): One<typeof QueryLinkFigures> {
  return async ({ appId, days, linkIds, sort, after, limit }, { now }) => {
    const zone = await store.zone(appId);
    const { day: today } = zone.at(now.getTime());
    const found = await store.linkFigures({ appId, zone, days, today, linkIds, sort, after, limit });
    if (sort !== null || linkIds === null) return { reply: { links: [...found] } };
    const byId = new Map(found.map((figures) => [figures.linkId, figures]));
    return { reply: { links: linkIds.map((linkId) => byId.get(linkId) ?? { linkId, ...NONE }) } };
  };
}
