import type { One } from '@landfall/bus';
import type { ResumePushProvider } from '@landfall/contracts';
import type { PushRepository } from '../repositories/push-repository.ts';

/** @param wake called when there may be something to send; never throws */
export function resumePushProvider(push: PushRepository, wake: () => void): One<typeof ResumePushProvider> {
  return async ({ actor, teamId, appId, kind }, context) => {
    const change = await push.changes.change({ action: 'ResumePushProvider', actor, teamId, context }, async (tx) => {
      const had = await push.providers.find(tx, { appId, kind });
      const provider = await push.providers.resume(tx, { appId, kind });
      if (!had || !provider) return { refusal: { code: 'PROVIDER_NOT_FOUND', facts: {} } };
      const { pausedAt, pauseReason } = had;
      return {
        appId,
        subject: appId,
        before: { kind, pausedAt, pauseReason },
        after: { kind, pausedAt: null, pauseReason: null },
        done: { provider },
      };
    });
    if ('refusal' in change) return change;
    wake();
    return { reply: change.done };
  };
}
