import type { One } from '@landfall/bus';
import type { RemovePushProvider } from '@landfall/contracts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function removePushProvider({ changes, providers }: PushRepository): One<typeof RemovePushProvider> {
  return async ({ actor, teamId, appId, kind }, context) => {
    const change = await changes.change({ action: 'RemovePushProvider', actor, teamId, context }, async (tx) => {
      const had = await providers.find(tx, { appId, kind });
      if (!had || !(await providers.remove(tx, { appId, kind })))
        return { refusal: { code: 'PROVIDER_NOT_FOUND', facts: {} } };
      return { appId, subject: appId, before: { kind, ...had.facts }, done: {} };
    });
    return 'refusal' in change ? change : { reply: {} };
  };
}
