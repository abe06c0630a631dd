// Decides one by one which create requests of a batch become links. So a plan with 50 links left creates exactly 50,
// for any number of parallel calls.
import type { Plan } from '@landfall/contracts';

export interface LinkRequest {
  id: string;
  appId: string;
  month: string;
  /** SHA-256 of the request. If the request may be repeated, the order of its keys does not matter. */
  inputHash: string;
  /** The hashes that earlier versions stored for the same request. */
  earlierHashes: readonly string[];
  plan: Plan;
}

export type Decision =
  | { kind: 'make' }
  /** The message, or the same caller with the same Idempotency-Key, was served before. */
  | { kind: 'made already' }
  | { kind: 'id reused' }
  | { kind: 'limit reached'; currentCount: number; limit: number; plan: string };

/** Returns the calendar month of the quota, UTC: `2026-11`. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

export const usageKey = (appId: string, month: string): string => `${appId}/${month}`;

/**
 * @param existing input hashes of the existing links, by id
 * @param used number of links created so far, by {@link usageKey}
 */
export function decideCreates(
  asked: readonly LinkRequest[],
  existing: ReadonlyMap<string, string>,
  used: ReadonlyMap<string, number>,
): Decision[] {
  const hashes = new Map(existing);
  const counts = new Map(used);
  return asked.map((one) => {
    const decision = decideCreate(one, hashes, counts);
    if (decision.kind === 'make') countMade(one, hashes, counts);
    return decision;
  });
}

/** The same for one request. If its link is made, the caller adds it with {@link countMade}. */
export function decideCreate(
  one: LinkRequest,
  hashes: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number>,
): Decision {
  const known = hashes.get(one.id);
  // An existing link was counted when it was created. So it is returned whatever the quota is now.
  if (known !== undefined) {
    const same = known === one.inputHash || one.earlierHashes.includes(known);
    return { kind: same ? 'made already' : 'id reused' };
  }
  const currentCount = counts.get(usageKey(one.appId, one.month)) ?? 0;
  const limit = one.plan.linksPerMonth;
  if (limit !== null && currentCount >= limit)
    return { kind: 'limit reached', currentCount, limit, plan: one.plan.name };
  return { kind: 'make' };
}

export function countMade(one: LinkRequest, hashes: Map<string, string>, counts: Map<string, number>): void {
  const key = usageKey(one.appId, one.month);
  hashes.set(one.id, one.inputHash);
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
