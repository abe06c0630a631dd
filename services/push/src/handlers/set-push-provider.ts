import type { One } from '@landfall/bus';
import { cutText, type PushProvider, type ReplyOf, type SetPushProvider } from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import type { Check } from '../domain/check.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export interface Checking {
  readonly sealer: Sealer;
  readonly check: Check;
  /** Called when there may be something to send. Never throws. */
  wake(): void;
}

export function setPushProvider(push: PushRepository, { sealer, check, wake }: Checking): One<typeof SetPushProvider> {
  return async ({ actor, teamId, appId, kind, credentials, facts }, context) => {
    // Do not ask a provider twice about one message: the second answer might differ.
    const before = await push.changes.doneBefore<ReplyOf<typeof SetPushProvider>>(context.id);
    if (before) return { reply: before };
    const checked = await check(sealer.open('push credentials', credentials));
    if (checked && !checked.taken)
      return { refusal: { code: 'PUSH_CREDENTIALS_REFUSED', facts: { reason: cutText(checked.reason, 500) } } };

    const change = await push.changes.change({ action: 'SetPushProvider', actor, teamId, context }, async (tx) => {
      const had = await push.providers.find(tx, { appId, kind });
      const provider = await push.providers.set(tx, { appId, kind }, { credentials, facts, at: context.now });
      return {
        appId,
        subject: appId,
        ...(had && { before: said(had) }),
        after: said(provider),
        done: { provider, checked: checked !== null },
      };
    });
    wake();
    return { reply: change.done };
  };
}

/** Returns the entry for the audit log. */
const said = ({ kind, facts }: PushProvider) => ({ kind, ...facts });
