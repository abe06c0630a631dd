// Checks that all machines have the same time. Tokens, matching windows and deadlines of messages depend on it.
import type { Clock } from '../facts/ask.ts';
import { SITE_MS } from '../facts/facts.ts';
import type { Door } from '../facts/site.ts';
import { fail, ok, type Said, skipped, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export interface Reading extends Clock {
  who: string;
  /** True when the clock shows only whole seconds. */
  coarse?: boolean;
}

export const clocksCheck: Check = {
  name: 'clocks',
  withinMs: SITE_MS + 1_000,
  async run({ database, redis, site }) {
    const [postgres, counts, looked] = await Promise.all([database?.(), redis?.(), site()]);
    return clocksFindings([
      ...(postgres && 'facts' in postgres ? [{ who: 'PostgreSQL', ...postgres.facts.clock }] : []),
      ...(counts && 'facts' in counts ? [{ who: 'Redis', ...counts.facts.clock }] : []),
      ...(looked?.doors.flatMap(readingOf) ?? []),
    ]);
  },
};

/** In milliseconds if doctor has the owner token, otherwise from the Date header, which every answer has. */
function readingOf({ view, viewed, live, landfall, url }: Door): Reading[] {
  if (view && viewed)
    return [
      { who: `gateway ${view.instance}`, now: Date.parse(view.now), askedAt: viewed.sentAt, answeredAt: viewed.gotAt },
    ];
  const date = live?.headers.date;
  if (!landfall || !live || typeof date !== 'string') return [];
  return [
    { who: `gateway at ${url}`, now: Date.parse(date), askedAt: live.sentAt, answeredAt: live.gotAt, coarse: true },
  ];
}

const WARN_MS = 1_000;
const FAIL_MS = 5_000;
const REMEDY =
  'Let time be set by NTP (timedatectl, chronyc tracking): deadlines of messages, signed referrers and matching windows are wrong meanwhile.';

export function clocksFindings(readings: readonly Reading[]): Said[] {
  const skews = new Map<string, number>();
  for (const reading of readings) if (!skews.has(reading.who)) skews.set(reading.who, skewOf(reading));
  if (skews.size === 0) return [skipped('no other clock could be read')];
  const facts = { skewMs: Object.fromEntries([...skews].map(([who, ms]) => [who, Math.round(ms)])) };
  const off = [...skews].filter(([, ms]) => Math.abs(ms) > WARN_MS);
  if (off.length === 0) return [ok(`${[...skews.keys()].join(', ')} and this machine agree within a second`, facts)];
  const state = (...skews: number[]) => (skews.some((ms) => Math.abs(ms) > FAIL_MS) ? fail : warn);
  const all = [...skews.values()];
  // If all clocks differ by the same amount, our clock is wrong.
  if (all.length > 1 && off.length === all.length && Math.max(...all) - Math.min(...all) < WARN_MS)
    return [state(...all)(`this machine's clock is ${away(-all[0]!)} all the others'`, REMEDY, facts)];
  return off.map(([who, ms]) => state(ms)(`the clock of ${who} is ${away(ms)} this machine's`, REMEDY, facts));
}

const away = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s ${ms < 0 ? 'behind' : 'ahead of'}`;

/** At least so many milliseconds: the clock was read between request and answer. Positive: the other clock is ahead. */
function skewOf({ now, askedAt, answeredAt, coarse = false }: Reading): number {
  const latest = coarse ? now + 999 : now;
  if (now > answeredAt) return now - answeredAt;
  return latest < askedAt ? latest - askedAt : 0;
}
