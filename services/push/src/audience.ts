// Counts the devices that a push targets, and finds the providers among them for which the app has no credentials.
import type { PushKind, PushTarget } from '@landfall/contracts';
import type { PushRepository } from './repositories/push-repository.ts';

export interface Audience {
  readonly targeted: number;
  /** The providers for which the app has no credentials, although some of these devices use them. */
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
