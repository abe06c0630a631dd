import type { DeliveryState, PersonsDevice, PushProvider } from '@landfall/contracts';
import type { Stored } from './notification.ts';

const GONE = 'the app was removed from the device, or its token was replaced';
const WRONG = 'the token belongs to another app, or the credentials do';

/** The cause for each stored reason code, of the providers and of ours. Each text follows "because". */
const causes: Readonly<Record<string, string>> = {
  UNREGISTERED: GONE,
  Unregistered: GONE,
  ExpiredToken: GONE,
  INVALID_ARGUMENT: 'Firebase takes the token, or the message, for an invalid one',
  BadDeviceToken: 'Apple does not know the token, or it is of the other environment (sandbox or production)',
  SENDER_ID_MISMATCH: WRONG,
  DeviceTokenNotForTopic: WRONG,
  TopicDisallowed: WRONG,
  BadTopic: WRONG,
  MissingTopic: WRONG,
  THIRD_PARTY_AUTH_ERROR: 'Firebase cannot reach Apple with the key that the project has there',
  APNS_AUTH_ERROR: 'Firebase cannot reach Apple with the key that the project has there',
  InvalidProviderToken: 'Apple refuses the credentials of the app',
  ExpiredProviderToken: 'Apple takes the signature for too old: a clock may be wrong',
  QUOTA_EXCEEDED: 'the project is over its quota at Firebase',
  TooManyRequests: 'Apple gets too many pushes for this device',
  UNAVAILABLE: 'Firebase was not available',
  INTERNAL: 'Firebase had a fault',
  InternalServerError: 'Apple had a fault',
  ServiceUnavailable: 'Apple was not available',
  PayloadTooLarge: 'the push is larger than the provider takes',
  'payload-too-large': 'the push is larger than the provider takes',
  'no-access-token': 'Google gave no access token',
  'no-credentials': 'the app has no credentials for this provider',
  'token-dropped': 'nothing is sent to the device any more: see why it was dropped',
  'unregistered-by-app': 'the app said that it wants no more pushes there',
  deleted: 'a person deleted the device',
  expired: 'its time was over before it could be sent',
  'gave-up': 'all attempts ended without an answer',
  stopped: 'the notification was stopped before',
  timeout: 'the provider did not answer in time',
  'connection-lost': 'the connection to the provider broke',
  'no-answer': 'the provider did not answer',
  unreachable: 'the provider could not be reached',
};

export function causeOf(reason: string | null): string {
  if (reason === null) return 'nobody knows';
  const cause = Object.hasOwn(causes, reason) ? causes[reason] : undefined;
  return cause ? `${cause} (${reason})` : `the provider answered ${reason}`;
}

export interface Became {
  readonly state: Exclude<DeliveryState, 'none'>;
  readonly reason: string | null;
  readonly attempts: number;
  readonly nextAt: Date;
  readonly endedAt: Date | null;
  readonly openedAt: Date | null;
}

export function explainDelivery({ state, reason, attempts, nextAt, endedAt, openedAt }: Became): string {
  const at = endedAt ? ` on ${endedAt.toISOString()}` : '';
  if (state === 'sent') {
    const opened = openedAt ? ` It was opened on ${openedAt.toISOString()}.` : '';
    return `The provider took it${at}. Whether the device showed it nobody is told.${opened}`;
  }
  if (state === 'logged') return 'It was sent to nobody: the app has no credentials.';
  if (state === 'failed') return `It was not delivered, because ${causeOf(reason)}.`;
  if (state === 'unknown') return `It was sent and may have arrived; nobody knows, because ${causeOf(reason)}.`;
  if (state === 'stopped') return 'The notification was stopped before it was sent to this device.';
  if (attempts === 0 || reason === null) return `It waits for its turn, or for a provider that is paused.`;
  return `It is tried again on ${nextAt.toISOString()}, because ${causeOf(reason)}.`;
}

/** A device that a notification was not sent to. Hashes are base64url. */
export interface Missed {
  readonly platform: string;
  readonly tokenHash: string;
  readonly email: string | null;
  /** Since when `email` has its current value, if it had another value before. */
  readonly emailSince: Date | null;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly droppedAt: Date | null;
  readonly dropReason: string | null;
}

export type MissedBy = Pick<Stored, 'target' | 'sendAt' | 'cancelledAt' | 'stoppedAt' | 'expandedAt'>;

const DAY_MS = 86_400_000;
const on = (at: Date) => at.toISOString();

/** @param person the hash of the user in question; null: no user */
export function explainMissed(device: Missed, by: MissedBy, person: string | null, now: Date): string {
  const { target, sendAt } = by;
  const { firstSeen, lastSeen, droppedAt, dropReason, email, emailSince } = device;
  if (by.cancelledAt) return 'The notification was taken back before it was sent.';
  if (sendAt > now) return `The notification is sent on ${on(sendAt)}.`;
  if (firstSeen > sendAt) return `The device registered on ${on(firstSeen)}, after the notification was sent.`;
  if (droppedAt && droppedAt <= sendAt)
    return `Nothing is sent to the device since ${on(droppedAt)}, because ${causeOf(dropReason)}.`;
  if (target.platform !== null && target.platform !== device.platform)
    return `The notification was for ${target.platform} only.`;
  if (target.emails !== null) {
    if (person !== null && !target.emails.includes(person)) return 'The notification was for other people.';
    if (person !== null && email !== person)
      return `The person is not signed in on this device${emailSince ? ` since ${on(emailSince)}` : ''}.`;
    if (emailSince && emailSince > sendAt)
      return `Whoever is signed in on the device is so since ${on(emailSince)}, after the notification was sent.`;
    if (email === null || !target.emails.includes(email)) return 'The notification was for other people.';
  }
  if (target.tokens !== null && !target.tokens.includes(device.tokenHash))
    return 'The notification was for other devices.';
  if (target.seenWithinDays !== null && lastSeen.getTime() < sendAt.getTime() - target.seenWithinDays * DAY_MS)
    return `The notification was for devices that registered in the ${target.seenWithinDays} days before; this one did on ${on(lastSeen)}.`;
  if (by.stoppedAt) return 'The notification was stopped before it came to this device.';
  if (!by.expandedAt) return 'The devices of the notification are still being looked up.';
  return 'The device was not registered, or not for this notification, when it was sent.';
}

export type Known = Missed & Pick<PersonsDevice, 'id' | 'platform' | 'kind' | 'environment' | 'language'>;

/**
 * @param person the hash of the user in question; null: no user
 * @param providers those for which the app has credentials
 */
export function shownDevice(
  device: Known,
  person: string | null,
  providers: readonly Pick<PushProvider, 'kind' | 'pausedAt'>[],
): PersonsDevice {
  const { id, platform, kind, environment, language, email, droppedAt, dropReason } = device;
  const state = droppedAt ? 'dropped' : person === null || email === person ? 'live' : 'signed-out';
  const provider = providers.find((one) => one.kind === kind);
  const credentials = !provider ? 'missing' : provider.pausedAt ? 'paused' : 'set';
  const explanation = {
    dropped: droppedAt && `Nothing is sent there since ${on(droppedAt)}, because ${causeOf(dropReason)}.`,
    'signed-out': `They are not signed in there${device.emailSince ? ` since ${on(device.emailSince)}` : ''}.`,
    live: `${goesThere[credentials]} It registered last on ${on(device.lastSeen)}.`,
  }[state]!;
  return {
    ...{
      id,
      platform,
      kind,
      environment,
      language,
      state,
      dropReason,
      explanation,
      credentials,
      hasUser: email !== null,
    },
    firstSeen: on(device.firstSeen),
    lastSeen: on(device.lastSeen),
    droppedAt: droppedAt && on(droppedAt),
  };
}

/** Whether a push to a registered device arrives, by the credentials of the app. */
const goesThere: Record<NonNullable<PersonsDevice['credentials']>, string> = {
  set: 'Pushes go there.',
  paused: 'Pushes wait, because the provider refuses the credentials of the app.',
  missing: 'No push reaches it: the app has no credentials for its provider.',
};
