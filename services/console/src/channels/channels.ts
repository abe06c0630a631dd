// Routes of the channels of an app: where its reports and alerts go.
import { randomBytes, randomUUID } from 'node:crypto';
import { type App, isDeceptive, nameText, text, uuid } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeSecret } from '../access/one-time.ts';
import type { Changing } from '../changes/change.ts';
import { lockApp } from '../common/rights.ts';
import { found } from '../common/rows.ts';
import { channelMail } from '../mail/mails.ts';
import { isAddress } from '../mail/settings.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import { type Channel, ChannelKind, channelView, viewOfChannel } from './channel-repository.ts';
import { type Message, webhookSecret } from './message.ts';
import { messageView } from './message-repository.ts';
import { asApiError, mailsAreLeft, SendError, sendMessage } from './send.ts';

/** The most channels of one app. */
const MAX_CHANNELS = 50;
const CONFIRM_MS = 7 * 86_400_000;
const SECRET_BYTES = 32;
const LISTED = 50;

const newChannel = z.object({
  kind: ChannelKind,
  name: nameText(100).describe('The name of the channel, for your team.'),
  target: text(2_000)
    .optional()
    .describe(
      'The address of an email, whose owner then confirms it. Else the URL to which messages are sent: for `slack` that of an incoming webhook, for `teams` that of a workflow that starts with a webhook request. It is stored sealed and never shown again.',
    ),
  userId: uuid().optional().describe('Of `email`, in place of `target`: a member of the team, who confirms nothing.'),
});

export const listChannels = manageRoute('GET /api/manage/apps/:appId/channels', {
  summary: 'List the channels of an app: where its reports and alerts go',
  needs: { role: 'member', of: 'app' },
  reply: z.object({
    channels: z.array(channelView),
    mail: z.boolean().describe('False: this installation sends no email, because SMTP_URL and MAIL_FROM are not set.'),
  }),
  async handle({ params: { appId } }, { account, lookups, mailer }) {
    await lookups.existingApp(appId);
    return { channels: (await account.channels.list(appId)).map(viewOfChannel), mail: mailer !== null };
  },
});

export const createChannel = manageRoute('POST /api/manage/apps/:appId/channels', {
  summary: 'Add a channel: a member of the team, an email address, Slack, Microsoft Teams, or a webhook',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  body: newChannel,
  reply: z.object({
    channel: channelView,
    secret: z
      .string()
      .nullable()
      .describe('Of `webhook`: signs its messages by Standard Webhooks. It is not shown again: save it now.'),
  }),
  errors: ['TOO_MANY_CHANNELS', 'MEMBER_NOT_FOUND', 'MAIL_OFF', 'MAIL_FAILED', 'TOO_MANY_MAILS'],
  async handle({ params: { appId }, body, change }, parts) {
    const { account, sealer } = parts;
    const { target, hint } = targetOf(body, parts);
    const secret = body.kind === 'webhook' ? newSecret() : null;
    const { channel, app } = await change('CreateChannel', async (at) => {
      const { tx, id, now } = at;
      const app = await lockApp(at, appId, 'member');
      if ((await account.channels.count(tx, appId)) >= MAX_CHANNELS) throw new ApiError('TOO_MANY_CHANNELS');
      const userId = body.userId ?? null;
      const email = userId && (await account.channels.memberEmail(appId, userId, tx));
      if (userId && email === null) throw new ApiError('MEMBER_NOT_FOUND');
      const channel = await account.channels.insert(tx, {
        id,
        appId,
        kind: body.kind,
        name: body.name,
        userId,
        createdAt: now,
        target: target && sealer.seal('channel', target),
        hint: email ? hintOfEmail(email) : hint,
        secret: secret && sealer.seal('channel', secret),
        verifiedAt: body.kind === 'email' && userId === null ? null : now,
      });
      const { kind, name, hint: shown } = channel;
      const after = { kind, name, hint: shown };
      return { subject: id, teamId: app.teamId, appId, after, done: { channel, app } };
    });
    if (channel.state === 'unconfirmed') {
      await sendConfirmation(app, channel, target!, parts, change).catch(async (error) => {
        // Nobody has its code.
        await change('RemoveChannel', async (at) => removed(at, app, channel));
        throw error;
      });
    }
    return { channel: viewOfChannel(channel), secret };
  },
});

export const renameChannel = manageRoute('PATCH /api/manage/apps/:appId/channels/:channelId', {
  summary: 'Rename a channel',
  needs: { role: 'member', of: 'app' },
  body: z.object({ name: nameText(100) }),
  reply: z.object({ channel: channelView }),
  errors: ['CHANNEL_NOT_FOUND'],
  async handle({ params: { appId, channelId }, body: { name }, change }, { account }) {
    return change('RenameChannel', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const before = await found(account.channels.find(appId, channelId, at.tx), 'CHANNEL_NOT_FOUND');
      const channel = viewOfChannel(await account.channels.rename(at.tx, channelId, name));
      return { subject: channelId, teamId, appId, before: { name: before.name }, after: { name }, done: { channel } };
    });
  },
});

export const renewChannelSecret = manageRoute('POST /api/manage/apps/:appId/channels/:channelId/secret', {
  summary: 'Make a new secret for a webhook. The earlier one ends at once',
  needs: { role: 'member', of: 'app' },
  reply: z.object({
    channel: channelView,
    secret: z.string().describe('Signs all messages from now on. It is not shown again: save it now.'),
  }),
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_WITHOUT_SECRET'],
  async handle({ params: { appId, channelId }, change }, { account, sealer }) {
    const secret = newSecret();
    return change('RenewChannelSecret', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const { kind } = await found(account.channels.find(appId, channelId, at.tx), 'CHANNEL_NOT_FOUND');
      if (kind !== 'webhook') throw new ApiError('CHANNEL_WITHOUT_SECRET');
      const row = await account.channels.renewSecret(at.tx, channelId, sealer.seal('channel', secret));
      const channel = viewOfChannel(row);
      return { subject: channelId, teamId, appId, after: { name: channel.name }, done: { channel, secret } };
    });
  },
});

const newSecret = (): string => webhookSecret(randomBytes(SECRET_BYTES));

export const removeChannel = manageRoute('DELETE /api/manage/apps/:appId/channels/:channelId', {
  summary: 'Remove a channel, also from the reports and alerts that use it',
  needs: { role: 'member', of: 'app' },
  reply: z.object({}),
  errors: ['CHANNEL_NOT_FOUND'],
  async handle({ params: { appId, channelId }, change }, { account }) {
    return change('RemoveChannel', async (at) => {
      const app = await lockApp(at, appId, 'member');
      return removed(at, app, await found(account.channels.find(appId, channelId, at.tx), 'CHANNEL_NOT_FOUND'));
    });
  },
});

async function removed({ tx, account }: Changing, { id: appId, teamId }: App, channel: Channel) {
  const { id, kind, name, hint } = channel;
  await account.channels.remove(tx, channel);
  return { subject: id, teamId, appId, before: { kind, name, hint }, done: {} };
}

export const testChannel = manageRoute('POST /api/manage/apps/:appId/channels/:channelId/test', {
  summary: 'Send a test through a channel. It succeeds when the receiver has taken it',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  reply: z.object({}),
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_FAILED'],
  async handle({ params: { appId, channelId } }, parts) {
    const { account, lookups, now } = parts;
    const app = await lookups.existingApp(appId);
    const channel = await found(account.channels.find(appId, channelId), 'CHANNEL_NOT_FOUND');
    const message = testMessage(app);
    const createdAt = now();
    const row = { id: randomUUID(), kind: 'test', sourceId: null, appId, channelId, via: channel.kind } as const;
    const error = await failureOf(sendMessage(channel, row.id, message, parts));
    const { fault = null, status = null } = error ?? {};
    await account.messages.record({ ...row, message, createdAt }, { fault, status });
    await account.channels.arrived(channelId, error ? createdAt : null);
    if (error) throw asApiError(error);
    return {};
  },
});

const testMessage = ({ id, name }: App): Message => ({
  type: 'test',
  title: `Test of ${name}`,
  lines: [`This is a test. Reports and alerts of "${name}" from Landfall arrive here.`],
  sections: [],
  notes: [],
  url: null,
  data: { appId: id, appName: name },
});

async function failureOf(sending: Promise<void>): Promise<SendError | null> {
  try {
    await sending;
    return null;
  } catch (error) {
    if (error instanceof SendError) return error;
    throw error;
  }
}

export const confirmChannelAgain = manageRoute('POST /api/manage/apps/:appId/channels/:channelId/confirmation', {
  summary: 'Ask the owner of an email address once more to confirm it',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  reply: z.object({}),
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_READY', 'MEMBER_NOT_FOUND', 'MAIL_OFF', 'MAIL_FAILED', 'TOO_MANY_MAILS'],
  async handle({ params: { appId, channelId }, change }, parts) {
    const { account, lookups, sealer } = parts;
    const app = await lookups.existingApp(appId);
    const channel = await found(account.channels.find(appId, channelId), 'CHANNEL_NOT_FOUND');
    if (channel.state === 'ready') throw new ApiError('CHANNEL_READY');
    const { userId, target } = channel;
    const email = userId ? await account.channels.memberEmail(appId, userId) : sealer.open('channel', target ?? '');
    if (email === null) throw new ApiError('MEMBER_NOT_FOUND');
    await sendConfirmation(app, channel, email, parts, change);
    return {};
  },
});

type Change = Parameters<typeof createChannel.handle>[0]['change'];

/** Sends a code that confirms the address. Only its owner gets it. */
async function sendConfirmation(
  { id: appId, name, teamId }: App,
  channel: Channel,
  to: string,
  parts: ConsoleParts,
  change: Change,
): Promise<void> {
  const { account, config, log, mailer, now } = parts;
  if (!mailer) throw new ApiError('MAIL_OFF');
  if (!(await mailsAreLeft(appId, parts, now()))) throw new ApiError('TOO_MANY_MAILS');
  const { plaintext, hash } = makeSecret();
  const id = await change('AskForConfirmation', async (at) => {
    await lockApp(at, appId, 'member');
    await account.channels.offerCode(at.tx, channel.id, hash, new Date(at.now.getTime() + CONFIRM_MS));
    return { subject: channel.id, teamId, appId, after: { hint: channel.hint }, done: at.id };
  });
  const sending = mailer.send({ id, to, ...channelMail(name, `${config.PUBLIC_URL}/confirm#${plaintext}`) });
  const error = await sending.then(
    () => null,
    (error: Error) => error,
  );
  const row = { id, kind: 'confirmation', sourceId: null, appId, channelId: channel.id, via: 'email' } as const;
  const outcome = { fault: error ? ('MAIL_FAILED' as const) : null, status: null };
  await account.messages.record({ ...row, message: null, createdAt: now() }, outcome);
  if (!error) return;
  log.warn({ err: error, channelId: channel.id }, 'the confirmation of a channel was not sent');
  throw new ApiError('MAIL_FAILED');
}

export const listMessages = manageRoute('GET /api/manage/apps/:appId/messages', {
  summary: `List the last ${LISTED} messages to the channels of an app; also what became of them`,
  needs: { role: 'member', of: 'app' },
  reply: z.object({ messages: z.array(messageView) }),
  async handle({ params: { appId } }, { account, lookups }) {
    await lookups.existingApp(appId);
    return { messages: await account.messages.list(appId, LISTED) };
  },
});

/** Throws 400 with the name of the field that does not fit. */
function targetOf(
  { kind, target, userId }: z.output<typeof newChannel>,
  { config, mailer }: ConsoleParts,
): { target: string | null; hint: string } {
  if (kind === 'email') {
    if (!mailer) throw new ApiError('MAIL_OFF');
    if ((target === undefined) === (userId === undefined))
      throw wrong('target', 'is needed, or userId, and not both of them');
    if (target === undefined) return { target: null, hint: '' };
    const address = target.trim().toLowerCase();
    if (!isAddress(address) || isDeceptive(address)) throw wrong('target', 'must be an email address');
    return { target: address, hint: hintOfEmail(address) };
  }
  if (userId !== undefined) throw wrong('userId', 'is for email only');
  if (target === undefined) throw wrong('target', 'is required');
  const url = URL.parse(target.trim());
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && config.PRIVATE_WEBHOOKS === 'on');
  if (!url || !isAllowed) throw wrong('target', 'must be an https URL');
  if (url.username !== '' || url.password !== '') throw wrong('target', 'must have no name and no password');
  const path = url.href.slice(url.origin.length + 1);
  return { target: url.href, hint: path === '' ? url.host : `${url.host}/…${path.slice(-4)}` };
}

const wrong = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);

/** The first two letters and the domain. */
const hintOfEmail = (email: string): string => email.replace(/^(.{1,2})[^@]*(?=@)/u, '$1…');
