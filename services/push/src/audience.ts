// Computes the audience of a push, and the devices in it that cannot get it.
import type { PushKind, PushTarget } from '@landfall/contracts';
import type { PushRepository } from './repositories/push-repository.ts';

export interface Audience {
  readonly targeted: number;
  /** Providers of some of these devices for which the app has no credentials. */
  readonly withoutCredentials: PushKind[];
}

export async function audienceOf(
  { devices, providers }: PushRepository,
  appId: string,
  target: PushTarget,
  now: Date,
): Promise<Audience> {
  const [{ targeted, byKind }, has] = await Promise.all([
    devices.countAudience(appId, target, now),
    providers.list(appId),
  ]);
  const missing = (['fcm', 'apns'] as const).filter((kind) => !has.some((provider) => provider.kind === kind));
  return { targeted, withoutCredentials: missing.filter((kind) => byKind[kind] > 0) };
}
