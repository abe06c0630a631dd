// A message to a channel, and what it looks like in each kind of channel.
import { createHmac } from 'node:crypto';
import { json, text } from '@landfall/contracts';
import { z } from 'zod';
import { oneLine } from '../mail/mails.ts';

export const messageTypes = ['report', 'alert', 'test'] as const;

export const Message = z.object({
  type: z.enum(messageTypes),
  title: text(300),
  /** Sentences before the sections. */
  lines: z.array(text(1_000)).max(20),
  sections: z.array(z.object({ title: text(200), rows: z.array(z.tuple([text(500), text(200)])).max(20) })).max(20),
  /** Sentences after the sections. */
  notes: z.array(text(1_000)).max(20),
  /** Where people read more. It needs a sign-in. */
  url: text(2_000).nullable(),
  /** The same for programs. */
  data: json(),
});
export type Message = z.output<typeof Message>;

/** The parts of a message in order. Names may hold whatever anybody typed. */
const partsOf = ({ lines, sections, notes }: Message, title: (text: string) => string): string[] => [
  ...(lines.length > 0 ? [lines.map(oneLine).join('\n')] : []),
  ...sections.map(({ title: name, rows }) =>
    [title(oneLine(name)), ...rows.map(([label, figures]) => `${oneLine(label)}: ${oneLine(figures)}`)].join('\n'),
  ),
  ...(notes.length > 0 ? [notes.map(oneLine).join('\n')] : []),
];

/** @param unsubscribe the address at which the recipient ends these emails */
export const asMail = (message: Message, unsubscribe: string) => ({
  subject: oneLine(message.title),
  text: `${[
    ...partsOf(message, (title) => title),
    ...(message.url === null ? [] : [`See all figures: ${message.url}`]),
    `To get no more of these emails: ${unsubscribe}`,
  ].join('\n\n')}\n`,
});

/**
 * The body for an incoming webhook of Slack. It has no blocks, so that Mattermost and the Slack address of Discord take
 * it, too. Slack acts on `<!channel>` and shows `<url|text>` as a link: the three signs are escaped, as Slack asks for.
 */
export function asSlack(message: Message): string {
  const parts = partsOf(message, (title) => title).map(escaped);
  const link = message.url === null ? [] : [`<${escaped(message.url)}|See all figures>`];
  const text = [`*${escaped(oneLine(message.title))}*`, ...parts, ...link].join('\n\n');
  return JSON.stringify({ text, unfurl_links: false, unfurl_media: false });
}

/**
 * The body for a workflow of Microsoft Teams that starts with a webhook request: an Adaptive Card. Its lines are text runs,
 * which know no Markdown, so no name becomes a link. Teams refuses more than 28 KB; the longest report has less.
 */
export function asTeams(message: Message): string {
  const line = (text: string, more: object = {}, run: object = {}) => ({
    type: 'RichTextBlock',
    spacing: 'None',
    ...more,
    inlines: [{ type: 'TextRun', text, ...run }],
  });
  const parts = partsOf(message, (title) => title).flatMap((part) =>
    part.split('\n').map((text, place) => line(text, place === 0 ? { spacing: 'Medium' } : {})),
  );
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [line(oneLine(message.title), {}, { weight: 'Bolder', size: 'Medium' }), ...parts],
    actions: message.url === null ? [] : [{ type: 'Action.OpenUrl', title: 'See all figures', url: message.url }],
    msteams: { width: 'Full' },
  };
  const card = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return JSON.stringify({ type: 'message', attachments: [card] });
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The body for a webhook, in the form that Standard Webhooks proposes. */
export const asWebhook = ({ type, title, data }: Message, at: Date): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data: { title, ...data } });

const SECRET = 'whsec_';

/** Returns the secret of a webhook, as its receiver needs it. */
export const webhookSecret = (bytes: Buffer): string => SECRET + bytes.toString('base64');

/**
 * Returns the headers that prove who sent the body, and when. https://www.standardwebhooks.com
 * @param id stays the same when the message is sent again
 */
export function signedHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const seconds = `${Math.floor(at.getTime() / 1_000)}`;
  const key = Buffer.from(secret.slice(SECRET.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
