// Inputs for the suites of this service.
import { createHash } from 'node:crypto';
import {
  type Actor,
  type InputOf,
  type PushMessage,
  type PushTarget,
  plainPush,
  type RecordOpen,
  type RegisterDevice,
  type SendPush,
} from '@landfall/contracts';
import { createSealer } from '@landfall/runtime';

/** Returns the `n`th id for tests. */
export const id = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const sealer = createSealer('of the suites of this service, long enough');

export const actor: Actor = { kind: 'person', userId: id(0xa11), tokenId: null, address: hashOf('address') };
export const teamId = id(0x7ea);

export const registration = ({
  token = 'a:token',
  email = null as string | null,
  ...from
}: Partial<InputOf<typeof RegisterDevice>> = {}): InputOf<typeof RegisterDevice> => ({
  appId: id(0xa),
  kind: 'fcm',
  environment: null,
  platform: 'android',
  language: null,
  country: null,
  appVersion: null,
  ...from,
  token: sealer.seal('device token', token),
  tokenHash: hashOf(token),
  email: email && hashOf(email),
});

export const message: PushMessage = {
  title: 'Hello',
  body: 'World',
  destinationPath: '/offers?code=1',
  metadata: { from: 'test', count: 2, first: true },
  imageUrl: null,
  sound: null,
  badge: null,
  collapseKey: null,
  ...plainPush,
};

export const everybody: PushTarget = { platform: null, emails: null, tokens: null, seenWithinDays: null };

export const push = (from: Partial<InputOf<typeof SendPush>> = {}): InputOf<typeof SendPush> => ({
  actor,
  teamId,
  appId: id(0xa),
  message,
  target: everybody,
  sendAt: null,
  ttlSeconds: 3_600,
  ...from,
});

export const open = (notificationId: string, token: string | null = 'a:token'): InputOf<typeof RecordOpen> => ({
  appId: id(0xa),
  notificationId,
  tokenHash: token && hashOf(token),
  platform: null,
  country: null,
  appVersion: null,
});
