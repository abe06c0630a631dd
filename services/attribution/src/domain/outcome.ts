// The code of a decision, beside its sentence. It says of a restore what whoever knows the fingerprint of its device may
// know. The reasons of a decision tell of other people, so they stay out.
import type { DecisionCode, RestoreOutcome } from '@landfall/contracts';
import type { Ask } from './candidate.ts';
import { BY_CLIPBOARD, type Decision } from './match.ts';
import type { Restore, StoredCode } from './past.ts';
import { isSomething, isUntapped } from './summary.ts';

/** @param tapped whether there were taps at the address in the last hours */
export function codeOf(decision: Decision, { token }: Pick<Ask, 'token'>, tapped: boolean): StoredCode {
  const { matchType } = decision;
  if (matchType === null) return isSomething(decision) ? 'refused' : tapped ? 'beyond' : 'untapped';
  if (matchType !== 'token') return matchType;
  return token?.from === 'clipboard' ? 'clipboard' : 'referrer';
}

type Decided = Pick<Restore, 'matchType' | 'code' | 'considered' | 'summary'>;

export function codeNow(decision: Decided, releasedAt: Date | null): DecisionCode {
  return decision.matchType !== null && releasedAt !== null ? 'lost' : (decision.code ?? codeBySentence(decision));
}

/** Rows of older versions have sentences only. They had no row when nobody tapped at the address. */
function codeBySentence(decision: Decided): StoredCode {
  const { matchType, considered } = decision;
  if (matchType === null) return isUntapped(decision) ? 'beyond' : 'refused';
  if (matchType !== 'token') return matchType;
  return considered.some(({ reason }) => reason === BY_CLIPBOARD) ? 'clipboard' : 'referrer';
}

/** @param decision undefined: there was nothing to decide, because no link waited */
export function outcomeOf(decision: Decided | undefined, releasedAt: Date | null): RestoreOutcome {
  const code = decision === undefined ? 'untapped' : codeNow(decision, releasedAt);
  return code === 'beyond' ? 'untapped' : code;
}
