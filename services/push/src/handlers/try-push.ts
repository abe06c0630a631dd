import type { One } from '@landfall/bus';
import type { TryPush } from '@landfall/contracts';
import { audienceOf } from '../audience.ts';
import { type SizeOf, tooLarge } from '../domain/render/too-large.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function tryPush(push: PushRepository, sizeOf: SizeOf): One<typeof TryPush> {
  return async ({ appId, message, target }, { now }) => {
    const refused = tooLarge(message, sizeOf);
    if (refused) return refused;
    return { reply: await audienceOf(push, appId, target, now) };
  };
}
