// Describes a decision in one sentence, for the dashboard and the log. It contains no personal data.
import type { Considered } from '@landfall/contracts';
import type { CandidateVerdict } from './candidate.ts';
import type { Decision } from './match.ts';
import { ago, counted } from './time.ts';

/** The most candidates in a list. The taps of a crowd need not all be listed. */
const MAX_CONSIDERED = 20;
const MAX_REASONS = 3;
/** The reason when there are taps, and the decision looks at none of them. */
export const NO_TAP =
  'no tap at this address: nobody tapped there in the time that the settings allow, or each tap was given already. On another network a phone has another address';

const NOTHING = 'nothing: ';

/** Returns true when the decision looked at no tap, and there was none that it did not look at. */
export const isUntapped = ({ summary }: { summary: string }): boolean => summary === NOTHING + NO_TAP;

/** Returns for example `1 link by address: tapped 3 minutes ago` or `nothing: 2 different links were tapped at this address, so nobody can tell which one is meant`. */
export function summarize({ matchType, matches, taken, verdicts, unseen }: Decision, now: Date): string {
  const [newest] = taken;
  if (newest === undefined) return `${NOTHING}${reasonsOf(verdicts, unseen)}`;
  const tapped = `${matches.length > 1 ? 'the newest ' : ''}tapped ${ago(newest.tappedAt, now)}`;
  return `${counted(matches.length, 'link')} by ${matchType}: ${tapped}`;
}

/** Returns the summary of a repeated answer, for a caller that did not get the first one. */
export const summarizeRepeat = (first: { at: Date; summary: string }, now: Date): string =>
  `the same as ${ago(first.at, now)}: ${first.summary}`;

function reasonsOf(verdicts: readonly CandidateVerdict[], unseen: string | null): string {
  const reasons = [...new Set([...verdicts.map((verdict) => verdict.reason), ...(unseen === null ? [] : [unseen])])];
  return reasons.length === 0 ? NO_TAP : reasons.slice(0, MAX_REASONS).join('; ');
}

/** The newest taken tap of each link comes first, because the event of the restore reads its time here. */
export function considered(verdicts: readonly CandidateVerdict[]): Considered[] {
  const taken = verdicts.filter((verdict) => verdict.taken);
  const links = new Set<string>();
  const isNewest = new Map(taken.map((verdict) => [verdict, isAdded(links, verdict.row.linkId)]));
  const rank = (verdict: CandidateVerdict) => (isNewest.get(verdict) ? 0 : verdict.taken ? 1 : 2);
  const takenFirst = verdicts.toSorted((a, b) => rank(a) - rank(b));
  return takenFirst.slice(0, MAX_CONSIDERED).map(({ row, matchType, taken, reason }) => ({
    pendingLinkId: row.id,
    linkId: row.linkId,
    tappedAt: row.tappedAt.toISOString(),
    matchType,
    taken,
    reason,
  }));
}

/** Adds the value. Returns false when it was there. */
const isAdded = (values: Set<string>, value: string): boolean => values.size < values.add(value).size;
