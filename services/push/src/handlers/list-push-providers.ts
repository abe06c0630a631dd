import type { One } from '@landfall/bus';
import type { ListPushProviders } from '@landfall/contracts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function listPushProviders({ providers }: PushRepository): One<typeof ListPushProviders> {
  return async ({ appId }) => ({ reply: { providers: await providers.list(appId) } });
}
