// Says of a restore what whoever knows the fingerprint of its device may know. The reasons of a decision tell of other
// people, so they stay out.
import type { RestoreOutcome } from '@landfall/contracts';
import { BY_CLIPBOARD } from './match.ts';
import type { Restore } from './past.ts';
import { isUntapped } from './summary.ts';

type Decided = Pick<Restore, 'matchType' | 'considered' | 'summary'>;

/** @param decision undefined: there was nothing to decide, because no link waited */
export function outcomeOf(decision: Decided | undefined, releasedAt: Date | null): RestoreOutcome {
  if (decision === undefined || isUntapped(decision)) return 'untapped';
  const { matchType, considered } = decision;
  if (matchType === null) return 'refused';
  if (releasedAt !== null) return 'lost';
  if (matchType !== 'token') return matchType;
  return considered.some(({ reason }) => reason === BY_CLIPBOARD) ? 'clipboard' : 'referrer';
}
