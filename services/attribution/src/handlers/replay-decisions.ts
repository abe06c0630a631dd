import type { One } from '@landfall/bus';
import { MOST_WHAT_IF_MINUTES, type ReplayDecisions } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { before, days, later, minutes } from '../domain/time.ts';
import { createWhatIf } from '../domain/what-if/what-if.ts';
import { decisionReader, placeOf } from '../repositories/decision-repository.ts';

/** The bounds of a replay: it must not keep a process from its restores. */
const MOST_ROWS = 100_000;
const MOST_MS = 8_000;
/** A page is decided at once, in some milliseconds. Restores of the same process run between two pages. */
const PAGE = 250;

export interface ReplayBounds {
  readonly rows: number;
  readonly ms: number;
}

/**
 * Makes the decisions of the last days again with other settings. Reads them page by page, the oldest first, because
 * each decision may take a link from later ones.
 */
export function replayDecisions(
  database: Database,
  { rows: mostRows, ms }: ReplayBounds = { rows: MOST_ROWS, ms: MOST_MS },
): One<typeof ReplayDecisions> {
  const decisions = decisionReader(database);
  return async ({ appId, days: count, current, changed }, { now }) => {
    const deadline = performance.now() + ms;
    const since = before(now, days(count));
    const first = await decisions.newest(appId, since, mostRows);
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
