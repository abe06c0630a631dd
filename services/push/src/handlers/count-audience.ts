import type { One } from '@landfall/bus';
import type { CountAudience } from '@landfall/contracts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function countAudience({ devices }: PushRepository): One<typeof CountAudience> {
  return async ({ appId, target }, { now }) => ({ reply: await devices.countAudience(appId, target, now) });
}
