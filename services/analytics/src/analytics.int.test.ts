import { AppChanged } from '@landfall/contracts';
import { describe } from 'vitest';
import { startAnalytics, tellAll } from './analytics.testing.ts';
import { figureConformance } from './conformance/figures.ts';
import { seeded } from './random-events.testing.ts';

/** Set it to look at many: they take minutes. */
const COUNT = Number(process.env.TEST_ANALYTICS_EVENTS ?? 4_000);

/** Everything is counted again in a new zone. That takes as long as there are events. */
const RECOUNT_MS = 10 * 60_000;

describe('every number of PostgreSQL equals a count over the list of events', () => {
  figureConformance(async () => {
    const { bus, buses, close } = await startAnalytics(2);
    const random = seeded(8);
    const any = () => buses[Math.floor(random() * buses.length)]!;
    return {
      source: 'counts',
      bus,
      setZone: (appId, version, timeZone) =>
        any().tell(AppChanged, { appId, version, hosts: [], timeZone }, { timeoutMs: RECOUNT_MS }),
      deliver: (events) => tellAll(events, any),
      close,
    };
  }, COUNT);
});
