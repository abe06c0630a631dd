// Pushes for the test suites of the providers.
import { type PushKind, type PushMessage, plainPush } from '@landfall/contracts';
import type { Push } from './provider.ts';

export const message: PushMessage = {
  title: 'Sale',
  body: 'Half price today',
  destinationPath: '/offers/today?utm_source=push',
  metadata: { color: 'blue' },
  imageUrl: 'https://example.com/a.png',
  sound: 'default',
  badge: 1,
  collapseKey: 'sale',
  ...plainPush,
};

/** Returns a token as long as a real one. For Apple the token is hexadecimal if the name is hexadecimal. */
export const tokenFor = (kind: PushKind, name: string): string =>
  kind === 'fcm' ? name.padEnd(140, 'x') : name.padEnd(64, 'e');

/** Returns a push to the device whose token is made from the name. */
export const pushTo = (kind: PushKind, name = 'a', more: Partial<Push> = {}): Push => ({
  id: '00000000-0000-5000-8000-000000000001',
  notificationId: '00000000-0000-4000-8000-000000000002',
  token: tokenFor(kind, name),
  kind,
  environment: null,
  platform: kind === 'fcm' ? 'android' : 'ios',
  language: null,
  message,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...more,
});
