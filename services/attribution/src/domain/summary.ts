// Describes a decision in one sentence, for the dashboard and the log. It contains no personal data.
import type { Considered } from '@landfall/contracts';
import type { Ask, CandidateVerdict } from './candidate.ts';
import type { Decision } from './match.ts';
import { counted, earlierBy } from './time.ts';

/** The most candidates in a list. The taps of a crowd need not all be listed. */
const MAX_CONSIDERED = 20;
const MAX_REASONS = 3;
/** The reason when there are taps, and the decision looks at none of them. */
const NO_TAP =
  'no tap at this address: nobody tapped there in the time that the settings allow, or each tap was given already. On another network a phone has another address';

const NOTHING = 'nothing: ';
export const UNTAPPED = NOTHING + NO_TAP;

/** The same where no address can tell of a tap. */
const NO_ADDRESS =
  'no token, email or fingerprint named a tap, and the request has no address of a person: see TRUST_PROXY in the settings of the installation';
const NO_KEY = 'no token, email or fingerprint named a tap, and the app allows no other evidence (matching.evidence)';

/** Returns true when there was a tap to consider, or were too many. */
export const isSomething = ({ verdicts, unseen }: Pick<Decision, 'verdicts' | 'unseen'>): boolean =>
  verdicts.length > 0 || unseen !== null;

/** Returns true for the summary of a decision without a tap, in rows of older versions. */
export const isUntapped = ({ summary }: { summary: string }): boolean => summary === UNTAPPED;

/** Returns for example `1 link by address: tapped 3 minutes earlier` or `nothing: 2 different links were tapped at this network address, so nobody can tell which one is meant`. */
export function summarize(decision: Decision, ask: Ask): string {
  const { matchType, matches, taken } = decision;
  const [newest] = taken;
  if (newest === undefined) return `${NOTHING}${isSomething(decision) ? reasonsOf(decision) : whyNoTap(ask)}`;
  const tapped = `${matches.length > 1 ? 'the newest ' : ''}tapped ${earlierBy(newest.tappedAt, ask.now)}`;
  return `${counted(matches.length, 'link')} by ${matchType}: ${tapped}`;
}

/** Returns the summary of a repeated answer, for a caller that did not get the first one. */
export const summarizeRepeat = (first: { at: Date; summary: string }, now: Date): string =>
  `the same as ${earlierBy(first.at, now)}: ${first.summary}`;

function whyNoTap({ address, ipv6, matching }: Ask): string {
  if (matching.evidence === 'exact') return NO_KEY;
  return address === null && ipv6 === null ? NO_ADDRESS : NO_TAP;
}

function reasonsOf({ verdicts, unseen }: Decision): string {
  const reasons = [...verdicts.map((verdict) => verdict.reason), ...(unseen === null ? [] : [unseen])];
  return [...new Set(reasons)].slice(0, MAX_REASONS).join('; ');
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
