import { type One, type Outcome, told } from '@landfall/bus';
import {
  AppAssociationChanged,
  type FindAssociationCheck,
  type StoreAssociationCheck,
  type TakeAssociationChecks,
} from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function takeAssociationChecks({ association }: AccountRepository): One<typeof TakeAssociationChecks> {
  return async ({ limit, againAfterSeconds }, { id, now }) => {
    const nextAt = new Date(now.getTime() + againAfterSeconds * 1_000);
    return { reply: { apps: await association.take(id, now, nextAt, limit) } };
  };
}

export function storeAssociationCheck({ association }: AccountRepository): One<typeof StoreAssociationCheck> {
  return async ({ appId, checkedAt, findings }, { id }): Promise<Outcome<typeof StoreAssociationCheck>> => {
    const failed = findings.filter(({ state }) => state === 'failed');
    const stored = await association.store(id, appId, { checkedAt, failing: failed.length > 0, findings });
    if (!stored) return refuse('APP_NOT_FOUND');
    const { check, changed } = stored;
    if (!changed) return { reply: { check } };
    const data = {
      appId,
      failing: check.failing,
      checkedAt,
      failed: failed.map(({ check, host, detail }) => ({ check, host, detail })),
    };
    return { reply: { check }, events: [told(AppAssociationChanged, data)] };
  };
}

export function findAssociationCheck({ association }: AccountRepository): One<typeof FindAssociationCheck> {
  return async ({ appId }) => ({ reply: { check: await association.find(appId) } });
}
