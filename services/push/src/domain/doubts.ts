// When what a provider says of one push is the fault of all: when it is said of many one after the other. A stray token must
// not stop an app's pushes: anybody with the app in their hands can register one.
import type { PushOutcome } from '../domain/outcome.ts';
import type { ProviderVerdict } from './outcomes.ts';

/** Before that many in a row each costs its own delivery alone. */
export const DOUBTS_IN_A_ROW = 20;
/** A signature that was just made is not too old: it takes only a few to know that a clock is wrong. */
export const EXPIRED_IN_A_ROW = 5;

type Doubt = Extract<ProviderVerdict, { kind: 'doubt' | 'expired' }>;

/** The number of doubts in a row that is enough, and the treatment of each before that. */
const rules: Record<Doubt['kind'], { readonly most: number; before(reason: string): PushOutcome }> = {
  doubt: { most: DOUBTS_IN_A_ROW, before: (reason) => ({ kind: 'fail', reason }) },
  expired: { most: EXPIRED_IN_A_ROW, before: (reason) => ({ kind: 'retry', reason, retryAfterMs: null }) },
};

export interface Doubts {
  /** A send begins. */
  begin(): number;
  /** It has ended. @param began what `begin` gave for it */
  decide(verdict: ProviderVerdict, began: number): PushOutcome;
}

export function createDoubts(): Doubts {
  let begun = 0;
  let inARow = { doubt: 0, expired: 0 };
  // Sends that had begun by then were under way when it was enough: they wait with the others.
  let pausedAt = 0;

  return {
    begin: () => ++begun,
    decide(verdict, began) {
      if (verdict.kind === 'sent') inARow = { doubt: 0, expired: 0 };
      if (verdict.kind !== 'doubt' && verdict.kind !== 'expired') return verdict;
      const { kind, reason } = verdict;
      if (began <= pausedAt) return { kind: 'pause', reason };
      if (++inARow[kind] < rules[kind].most) return rules[kind].before(reason);
      inARow[kind] = 0;
      pausedAt = begun;
      return { kind: 'pause', reason: verdict.clocks ? `${reason}: ${verdict.clocks}` : reason };
    },
  };
}
