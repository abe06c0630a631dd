// Decides which creates of a batch become links, one after the other. So a plan with 50 links left makes exactly 50,
// for any number of calls at once.
import type { Plan } from '@landfall/contracts';

/** One link that was asked for. */
export interface LinkRequest {
  id: string;
  appId: string;
  month: string;
  /** SHA-256 of what was asked for: whatever the order of its keys, where it may be asked for again. */
  inputHash: string;
  /** The same with the keys as they were given: all that versions of before that rule have stored. */
  givenHash: string;
  plan: Plan;
}

export type Decision =
  | { kind: 'make' }
  /** The message, or the caller with the same Idempotency-Key, was served before. */
  | { kind: 'made already' }
  | { kind: 'id reused' }
  | { kind: 'limit reached'; currentCount: number; limit: number; plan: string };

/** The calendar month of the quota, UTC: `2026-11`. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

/** The key of usage counts. */
export const usageKey = (asked: { appId: string; month: string }): string => `${asked.appId}/${asked.month}`;

/**
 * @param existing input hashes of the links that exist, by id
 * @param used links generated so far, by {@link usageKey}
 * @returns one decision for each that was asked for, in order
 */
export function decideCreates(
  asked: readonly LinkRequest[],
  existing: ReadonlyMap<string, string>,
  used: ReadonlyMap<string, number>,
): Decision[] {
  const hashes = new Map(existing);
  const counts = new Map(used);
  return asked.map((one) => {
    const known = hashes.get(one.id);
    // A link that exists was counted when it was made: it is answered whatever the quota says now.
    if (known !== undefined) {
      const same = known === one.inputHash || known === one.givenHash;
      return { kind: same ? 'made already' : 'id reused' };
    }
    const key = usageKey(one);
    const currentCount = counts.get(key) ?? 0;
    const limit = one.plan.linksPerMonth;
    if (limit !== null && currentCount >= limit) {
      return { kind: 'limit reached', currentCount, limit, plan: one.plan.name };
    }
    hashes.set(one.id, one.inputHash);
    counts.set(key, currentCount + 1);
    return { kind: 'make' };
  });
}
