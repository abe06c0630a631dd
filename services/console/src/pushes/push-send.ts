import { randomUUID } from 'node:crypto';
import { uuid5 } from '@landfall/bus';
import { LONGEST_TTL_SECONDS, NotificationStatus, type PushKind, SendPush, TryPush } from '@landfall/contracts';
import { idempotencyKey, LARGE_BODY_BYTES } from '@landfall/gateway';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { id } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import {
  messageOf,
  missingIn,
  needsTexts,
  type PushGiven,
  pushFields,
  pushTarget,
  readScheduleAt,
  scheduleAt,
  targetOf,
  ttlSeconds,
} from './push-fields.ts';

export const pushSend = manageRoute('POST /api/push/send', {
  summary: 'Send a push to devices of an app, at once or later; with a session or a token, not an SDK key',
  needs: { role: 'member', of: 'app', in: 'body' },
  limit: 'push-send',
  bodyBytes: LARGE_BODY_BYTES,
  body: z
    .object({
      appId: id(),
      ...pushFields,
      target: pushTarget(),
      scheduleAt: scheduleAt().optional(),
      ttlSeconds: ttlSeconds().default(LONGEST_TTL_SECONDS),
      dryRun: z.boolean().default(false).describe('Checks everything and sends nothing.'),
      idempotencyKey: idempotencyKey()
        .optional()
        .describe('The same key and body within 30 days send nothing again, and return the first answer.'),
    })
    .meta(needsTexts),
  reply: z.object({
    notificationId: z.uuid().nullable().describe('Null after a dry run.'),
    status: z.enum([...NotificationStatus.options, 'dry-run']),
    targeted: z.int().describe('The number of devices in the audience at this moment.'),
    warnings: z.array(z.string()).optional(),
  }),
  errors: ['PUSH_TOO_LARGE', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ actor, body }, { forward, hashes, lookups, now }) {
    const missing = missingIn(body);
    if (missing.length > 0) throw new ApiError('INVALID_REQUEST', missing);
    const { id: appId, teamId } = await lookups.existingApp(body.appId);
    const sendAt = body.scheduleAt === undefined ? null : readScheduleAt(body.scheduleAt, now());
    const push = { appId, message: messageOf(body), target: targetOf(body.target, hashes) };
    if (body.dryRun) {
      const tried = await forward(TryPush, push);
      const { targeted } = tried;
      return { notificationId: null, status: 'dry-run' as const, targeted, ...warningsOf(body, tried) };
    }
    const command = { actor: actor(), teamId, ...push, sendAt, ttlSeconds: body.ttlSeconds };
    const sent = await forward(SendPush, command, { id: notificationId(appId, body.idempotencyKey) });
    const { withoutCredentials: _, ...answer } = sent;
    return { ...answer, ...warningsOf(body, sent) };
  },
});

/** Returns the id of the message, which becomes the id of the notification. */
const notificationId = (appId: string, key: string | undefined): string =>
  key === undefined ? randomUUID() : uuid5(appId, `send-push ${key}`);

/** Fields that a person sees or hears. */
const shown = ['title', 'body', 'imageUrl', 'sound', 'badge', 'category', 'mutableContent', 'localized'] as const;

const providerNames: Record<PushKind, string> = { fcm: 'Firebase', apns: 'Apple' };

function warningsOf(
  given: PushGiven,
  { targeted, withoutCredentials }: { targeted: number; withoutCredentials: readonly PushKind[] },
) {
  const unseen = given.silent ? shown.filter((field) => given[field] !== undefined) : [];
  const warnings = [
    ...(given.destinationPath === undefined && !given.silent
      ? ['Without destinationPath the public SDK opens "/".']
      : []),
    ...(unseen.length > 0 ? [`A silent push shows nothing. These fields are not sent: ${unseen.join(', ')}.`] : []),
    ...withoutCredentials.map(
      (kind) =>
        `The app has no credentials for ${providerNames[kind]}: devices with a token of this provider do not get the push.`,
    ),
    ...(targeted === 0 ? ['No device is registered for this audience.'] : []),
  ];
  return warnings.length > 0 ? { warnings } : {};
}
