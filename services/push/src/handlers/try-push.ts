import type { One } from '@landfall/bus';
import type { TryPush } from '@landfall/contracts';
import { type SizeOf, tooLarge } from '../domain/too-large.ts';
import type { PushRepository } from '../push-repository.ts';
import { audienceOf } from './audience.ts';

export function tryPush(push: PushRepository, sizeOf: SizeOf): One<typeof TryPush> {
  return async ({ appId, message, target }, { now }) => {
    const refused = tooLarge(message, sizeOf);
    if (refused) return refused;
    return { reply: await audienceOf(push, appId, target, now) };
  };
}
