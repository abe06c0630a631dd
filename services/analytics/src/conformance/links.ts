// The figures, taps and installs of single links equal a count over the list of events.
import type { Answer, Bus } from '@landfall/bus';
import {
  figureDays,
  LinkClicked,
  LinkOpened,
  LinkSort,
  ListLinkInstalls,
  ListTaps,
  placeIn,
  QueryLinkFigures,
  type RequestDef,
} from '@landfall/contracts';
import { expect, it } from 'vitest';
import { countedBy, randomEvents, type TestEvent, uuidOf } from '../random-events.testing.ts';

const APP = uuidOf('app of links');
const DAY_MS = 86_400_000;
const WAIT = { timeoutMs: 25_000 };

interface Service {
  readonly bus: Pick<Bus, 'ask'>;
  deliver(events: readonly TestEvent[]): Promise<void>;
}

export function linkConformance(service: () => Service): void {
  it('figures, taps and installs of links equal a count over the list of events', async () => {
    const { bus, deliver } = service();
    const now = Date.now();
    const from = new Date(now - 100 * DAY_MS);
    const events = randomEvents({ count: 1_500, from, to: new Date(now), seed: 11, apps: [APP], links: 12 });
    await deliver(events);
    const taps = countedBy(events, APP, 'clicks');
    const installs = countedBy(events, APP, 'attributedInstalls');
    const links = [...new Set(taps.map(({ of }) => of('link')!))].sort();
    const last = (linkId: string) =>
      new Date(Math.max(...taps.filter(({ of }) => of('link') === linkId).map(({ at }) => at.getTime()))).toISOString();
    const ask = async (input: object) =>
      (
        await replied(
          bus.ask(
            QueryLinkFigures,
            { appId: APP, sort: null, linkIds: null, after: null, limit: 5, ...input } as never,
            WAIT,
          ),
        )
      ).links;

    for (const days of figureDays) {
      const first = Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
      const numberOf = (of: typeof taps, linkId: string) =>
        of.filter((one) => one.of('link') === linkId && one.at.getTime() >= first).length;
      const wanted = links.map((linkId) => ({
        linkId,
        clicks: numberOf(taps, linkId),
        installs: numberOf(installs, linkId),
        lastTapAt: last(linkId),
      }));
      expect(await ask({ days, linkIds: links, limit: 1 })).toEqual(wanted);
      for (const sort of LinkSort.options) {
        const found: typeof wanted = [];
        for (;;) {
          const end = found.at(-1);
          const page = await ask({ days, sort, after: end ? { n: placeIn(sort, end), linkId: end.linkId } : null });
          found.push(...(page as typeof wanted));
          if (page.length < 5) break;
        }
        const inOrder = wanted
          .filter((one) => placeIn(sort, one) !== null)
          .sort((a, b) => placeIn(sort, b)! - placeIn(sort, a)! || (a.linkId < b.linkId ? -1 : 1));
        expect([days, sort, found]).toEqual([days, sort, inOrder]);
      }
    }
    for (const linkId of links.slice(0, 4)) {
      const of = { appId: APP, linkId, limit: 7 };
      const listed = await all(async (cursor) => {
        const { taps: rows, next } = await replied(bus.ask(ListTaps, { ...of, cursor }, WAIT));
        return { rows, next };
      });
      const own = events.filter(
        ({ event, data }) => (event === LinkClicked || event === LinkOpened) && data.linkId === linkId,
      );
      const wanted = own.map(({ event, id, now, data }) => ({
        tapId: id,
        at: new Date(event === LinkOpened ? Math.floor(now.getTime() / 60_000) * 60_000 : now).toISOString(),
        country: data.country,
        answered: event === LinkOpened ? 'app' : data.target,
      }));
      wanted.sort((a, b) => (`${a.at} ${a.tapId}` < `${b.at} ${b.tapId}` ? 1 : -1));
      expect(listed.map(({ tapId, at, country, answered }) => ({ tapId, at, country, answered }))).toEqual(wanted);
      const led = await all(async (cursor) => {
        const { installs: rows, next } = await replied(bus.ask(ListLinkInstalls, { ...of, cursor }, WAIT));
        return { rows, next };
      });
      const leading = installs.filter((one) => one.of('link') === linkId);
      expect(led.map(({ at, tapId, matchType }) => `${at} ${tapId} ${matchType}`).sort()).toEqual(
        leading.map(({ at, click, of }) => `${at.toISOString()} ${click} ${of('matchType')}`).sort(),
      );
      expect(led.map(({ at }) => at)).toEqual(
        led
          .map(({ at }) => at)
          .sort()
          .reverse(),
      );
    }
  });
}

async function replied<D extends RequestDef>(asked: Promise<Answer<D>>) {
  const answer = await asked;
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  return answer.reply;
}

async function all<T>(read: (cursor: string | null) => Promise<{ rows: T[]; next: string | null }>): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const { rows, next }: { rows: T[]; next: string | null } = await read(cursor);
    found.push(...rows);
    cursor = next;
  } while (cursor !== null);
  return found;
}
