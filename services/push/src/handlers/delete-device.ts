import { type One, told } from '@landfall/bus';
import { type DeleteDevice, type Platform, type PushKind, PushUnregistered } from '@landfall/contracts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function deleteDevice({ changes, devices }: PushRepository): One<typeof DeleteDevice> {
  return async ({ actor, teamId, appId, deviceId }, context) => {
    const change = await changes.change({ action: 'DeleteDevice', actor, teamId, context }, async (tx) => {
      const had = await devices.remove(tx, { appId, deviceId, messageId: context.id, at: context.now });
      if (!had) return { refusal: { code: 'DEVICE_NOT_FOUND', facts: {} } };
      const done: { platform: Platform; kind: PushKind } = { platform: had.platform, kind: had.kind };
      return { appId, subject: deviceId, before: had, done };
    });
    if ('refusal' in change) return change;
    const { platform, kind } = change.done;
    return { reply: {}, events: [told(PushUnregistered, { deviceId, appId, platform, kind, by: 'person' })] };
  };
}
