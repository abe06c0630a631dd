import type { One } from '@landfall/bus';
import {
  cutText,
  type ListPushProviders,
  type PushProvider,
  RemovePushProvider,
  type ReplyOf,
  ResumePushProvider,
  type SetPushProvider,
} from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { changing, refused } from '../changing.ts';
import type { Check } from '../providers/provider.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

const NOT_FOUND = refused('PROVIDER_NOT_FOUND');

export function listPushProviders({ providers }: PushRepository): One<typeof ListPushProviders> {
  return async ({ appId }) => ({ reply: { providers: await providers.list(appId) } });
}

export interface Checking {
  readonly sealer: Sealer;
  readonly check: Check;
  /** Called after the commit; never throws. */
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

export const removePushProvider = (push: PushRepository) =>
  changing(RemovePushProvider, push, async ({ appId, kind }, tx) => {
    const had = await push.providers.find(tx, { appId, kind });
    if (!had || !(await push.providers.remove(tx, { appId, kind }))) return NOT_FOUND;
    return { appId, subject: appId, before: said(had), done: {} };
  });

export const resumePushProvider = (push: PushRepository, wake: () => void) =>
  changing(
    ResumePushProvider,
    push,
    async ({ appId, kind }, tx) => {
      const had = await push.providers.find(tx, { appId, kind });
      const provider = await push.providers.resume(tx, { appId, kind });
      if (!had || !provider) return NOT_FOUND;
      const { pausedAt, pauseReason } = had;
      const after = { kind, pausedAt: null, pauseReason: null };
      return { appId, subject: appId, before: { kind, pausedAt, pauseReason }, after, done: { provider } };
    },
    wake,
  );
