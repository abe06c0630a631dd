import { hash } from 'node:crypto';
import type { One } from '@landfall/bus';
import type { CountAudience, InputOf, PushTarget, ReplyOf, SendPush, TryPush } from '@landfall/contracts';
import { sortKeys } from '@landfall/runtime';
import { expiryAfter, isLater, shownTarget, statusOf } from '../domain/notification.ts';
import { tooLarge } from '../domain/render/size.ts';
import type { PushRepository } from '../repositories/push-repository.ts';
import { withoutPlain } from '../stored-message.ts';

type Reply = ReplyOf<typeof SendPush>;

/** @param wake called after the commit; never throws */
export function sendPush(push: PushRepository, wake: () => void): One<typeof SendPush> {
  return async (input, context) => {
    const { actor, teamId, appId, message, target, ttlSeconds } = input;
    const { id, now } = context;
    const inputHash = hashOf(sortedMetadata(input));
    const known = await push.notifications.inputHash(id);
    // Older versions stored only the hash with the keys in the given order. Accept that hash, too.
    if (known && !inputHash.equals(known) && !hashOf(input).equals(known))
      return { refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } };
    if (known) return { reply: await firstAnswer(push, id, now) };
    const refused = tooLarge(message);
    if (refused) return refused;

    const given = input.sendAt === null ? now : new Date(input.sendAt);
    const later = isLater(given, now);
    const sendAt = later ? given : now;
    const { targeted, withoutCredentials } = await audienceOf(push, appId, target, now);
    const change = await push.changes.change({ action: 'SendPush', actor, teamId, context }, async (tx) => {
      const times = { createdAt: now, sendAt, expiresAt: expiryAfter(sendAt, ttlSeconds * 1_000) };
      await push.notifications.insert(tx, { id, appId, message, target, inputHash, ...times, targeted });
      return {
        appId,
        subject: id,
        after: {
          title: message.title,
          target: shownTarget(target),
          sendAt: sendAt.toISOString(),
          targeted,
          ...(message.test && { test: true }),
        },
        done: { notificationId: id, status: later ? 'scheduled' : 'sending', targeted, withoutCredentials } as const,
      };
    });
    wake();
    return { reply: change.done };
  };
}

/** Returns the first answer. If the audit log does not reach back so far, returns an answer from the current state. */
async function firstAnswer({ changes, notifications }: PushRepository, id: string, now: Date): Promise<Reply> {
  const given = await changes.doneBefore<Reply>(id);
  // An answer of an older version does not have this field.
  if (given) return { ...given, withoutCredentials: given.withoutCredentials ?? [] };
  const found = (await notifications.find(id))!;
  return { notificationId: id, status: statusOf(found, now), targeted: found.targeted, withoutCredentials: [] };
}

/** Sorts the metadata keys. Their order is not part of the request. */
const sortedMetadata = ({ message, ...input }: InputOf<typeof SendPush>): InputOf<typeof SendPush> => ({
  ...input,
  message: { ...message, metadata: sortKeys(message.metadata) },
});

/** Returns the same hash for the same request, even for a version that did not know all fields of a message. */
const hashOf = ({ appId, message, target, sendAt, ttlSeconds }: InputOf<typeof SendPush>) =>
  hash('sha256', JSON.stringify([appId, withoutPlain(message), target, sendAt, ttlSeconds]), 'buffer');

export function tryPush(push: PushRepository): One<typeof TryPush> {
  return async ({ appId, message, target }, { now }) =>
    tooLarge(message) ?? { reply: await audienceOf(push, appId, target, now) };
}

export function countAudience({ devices }: PushRepository): One<typeof CountAudience> {
  return async ({ appId, target }, { now }) => {
    const [counted, emailsWithoutDevice] = await Promise.all([
      devices.countAudience(appId, target, now),
      devices.emailsWithoutDevice(appId, target, now),
    ]);
    return { reply: { ...counted, emailsWithoutDevice } };
  };
}

/** Counts the devices, and finds the providers among them for which the app has no credentials. */
async function audienceOf({ devices, providers }: PushRepository, appId: string, target: PushTarget, now: Date) {
  const [{ targeted, byKind }, has] = await Promise.all([
    devices.countAudience(appId, target, now),
    providers.list(appId),
  ]);
  const missing = (['fcm', 'apns'] as const).filter((kind) => !has.some((provider) => provider.kind === kind));
  return { targeted, withoutCredentials: missing.filter((kind) => byKind[kind] > 0) };
}
