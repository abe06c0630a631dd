// When "this token does not belong to these credentials" is the credentials' fault: when it is said of many devices one
// after the other. A stray token must not stop an app's pushes: anybody with the app in their hands can register one.
import type { Outcome } from '../providers/provider.ts';
import type { Verdict } from './outcomes.ts';

/** Before that many in a row each costs its own delivery alone. */
export const DOUBTS_IN_A_ROW = 20;

export interface Doubts {
  /** A send begins. */
  begin(): number;
  /** It has ended. @param began what `begin` gave for it */
  decide(verdict: Verdict, began: number): Outcome;
}

export function createDoubts(): Doubts {
  let begun = 0;
  let inARow = 0;
  // Sends that had begun by then were under way when it was enough: they wait with the others.
  let pausedAt = 0;

  return {
    begin: () => ++begun,
    decide(verdict, began) {
      if (verdict.kind === 'sent') inARow = 0;
      if (verdict.kind !== 'doubt') return verdict;
      if (began <= pausedAt) return { kind: 'pause', reason: verdict.reason };
      inARow++;
      if (inARow < DOUBTS_IN_A_ROW) return { kind: 'fail', reason: verdict.reason };
      inARow = 0;
      pausedAt = begun;
      return { kind: 'pause', reason: verdict.reason };
    },
  };
}
