// Decides when an answer about one push means a fault of all pushes: when the provider gives it for many pushes in a
// row. A stray token must not stop all pushes of an app, because anybody who has the app can register a token.
import type { ProviderVerdict, PushOutcome } from './outcomes.ts';

/** The number of doubts in a row that pause all pushes. Before that, each doubt fails only its own delivery. */
export const DOUBTS_IN_A_ROW = 20;
/** A new signature is not too old. So a few such answers in a row show that a clock is wrong. */
const EXPIRED_IN_A_ROW = 5;

type Doubt = Extract<ProviderVerdict, { kind: 'doubt' | 'expired' }>;

/** For each kind of doubt: the number in a row that is enough, and the outcome of each doubt before that. */
const rules: Record<Doubt['kind'], { readonly most: number; before(reason: string): PushOutcome }> = {
  doubt: { most: DOUBTS_IN_A_ROW, before: (reason) => ({ kind: 'fail', reason }) },
  expired: { most: EXPIRED_IN_A_ROW, before: (reason) => ({ kind: 'retry', reason, retryAfterMs: null }) },
};

export function createDoubts() {
  let begun = 0;
  let inARow = { doubt: 0, expired: 0 };
  // The last send that had begun before the pause. Sends up to it were under way then, so they wait with the others.
  let pausedAt = 0;

  return {
    /** Begins a send and returns its number. */
    begin: (): number => ++begun,
    /**
     * Ends a send and returns its outcome.
     * @param began the number that `begin` returned for this send
     */
    decide(verdict: ProviderVerdict, began: number): PushOutcome {
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
