import type { One } from '@landfall/bus';
import {
  type DescribeRollout,
  ListRestores,
  MOST_WHAT_IF_MINUTES,
  NearTap,
  nextCursor,
  type ReplayDecisions,
  readCursor,
  reader,
  SentEvidence,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { codeNow } from '../domain/outcome.ts';
import { NOTHING_SEEN, rolloutOf } from '../domain/rollout.ts';
import { before, days, later, minutes } from '../domain/time.ts';
import { createWhatIf } from '../domain/what-if/what-if.ts';
import { activityReader } from '../repositories/activity-repository.ts';
import { decisionReader, placeOf } from '../repositories/decision-repository.ts';
import { findNear, type Near } from '../repositories/nearby-repository.ts';
import { type ListedRestore, listRestores as readRestores } from '../repositories/restore-list-repository.ts';

export function describeRollout(database: Database): One<typeof DescribeRollout> {
  return async ({ appId, appCreatedAt, existingUsers }, { now }) => {
    const activity = (await activityReader(database).find([appId], now)).get(appId) ?? NOTHING_SEEN;
    const { seen, firstSeen } = activity;
    const found = existingUsers ? rolloutOf(new Date(appCreatedAt), now, activity) : null;
    const rollout = found && { reason: found.reason, until: found.until };
    return { reply: { rollout, devices: { seen, firstSeen } } };
  };
}

/** A start that had no tap to consider is shown with the taps that may have led to it. */
export function listRestores(database: Database): One<typeof ListRestores> {
  return async ({ appId, limit, cursor, filter, near }) => {
    const found = await readRestores(database, { appId, limit, after: readCursor(cursor), filter });
    const codes = new Map(found.map((one) => [one.id, codeNow(one, one.releasedAt)]));
    const isBare = ({ id }: ListedRestore) => codes.get(id) === 'untapped' || codes.get(id) === 'beyond';
    const taps = near ? await findNear(database, found.filter(isBare)) : new Map<string, Near[]>();
    const restores = found.map((one) => ({
      ...toDecision({ ...one, outcome: codes.get(one.id), hasAddress: one.address !== null, near: [] }),
      sent: one.sent && SentEvidence.parse(Object.fromEntries(one.sent.map((name) => [name, true]))),
      near: (taps.get(one.id) ?? []).map(toNear),
    }));
    return { reply: { restores, next: nextCursor(restores, limit, ({ at }) => at) } };
  };
}

const toDecision = reader(ListRestores.reply.shape.restores.element);
const toNear = reader(NearTap);

/** The bounds of a replay: it must not keep a process from its restores. */
const MOST_ROWS = 100_000;
const MOST_MS = 8_000;
/** A page is decided at once, in some milliseconds. Restores of the same process run between two pages. */
const PAGE = 250;

/** Reads the decisions page by page, the oldest first, because each one may take a link from later ones. */
export function replayDecisions(database: Database): One<typeof ReplayDecisions> {
  const decisions = decisionReader(database);
  return async ({ appId, days: count, current, changed }, { now }) => {
    const deadline = performance.now() + MOST_MS;
    const since = before(now, days(count));
    const first = await decisions.newest(appId, since, MOST_ROWS);
    const whatIf = createWhatIf(current, changed);
    // Decisions of two hours before have closed taps of these decisions.
    let place = placeOf(before(first?.at ?? since, minutes(MOST_WHAT_IF_MINUTES)));
    const from = first ?? placeOf(since);
    let to = now;
    let cut: 'rows' | 'time' | null = first === null ? null : 'rows';
    for (;;) {
      const page = await decisions.after(appId, place, now, PAGE);
      for (const one of page) whatIf.add(one, one.at > from.at || (one.at >= from.at && one.id > from.id));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      place = last;
      if (performance.now() > deadline) {
        to = last.at;
        cut = 'time';
        break;
      }
    }
    return { reply: { from: later(from.at, since).toISOString(), to: to.toISOString(), cut, ...whatIf.result() } };
  };
}
