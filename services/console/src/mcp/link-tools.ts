// Tools for links: find, get, create, archive, explain.
import { destination, linkCursor, linkStates, metadata, text } from '@landfall/contracts';
import { deviceIds, devices, ownSlug } from '@landfall/gateway';
import { z } from 'zod';
import { explainLink, explainUrl } from '../links/explain.ts';
import { linkInput, tagList, tagText } from '../links/link-fields.ts';
import { createManagedLink, editLink, getLink, listLinks } from '../links/links.ts';
import { anyTime } from '../routes/manage-fields.ts';
import type { Ask } from './ask-routes.ts';
import { appId, page } from './fields.ts';
import { ADDS, READS, REPLACES, tool } from './tool.ts';

const link = () => text(4_096).min(1).describe('The id of the link, or its URL.');

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the id of a link that is named by its id or its URL. Throws LINK_NOT_FOUND when there is none. */
async function idOf(given: string, ask: Ask): Promise<string> {
  if (ID.test(given)) return given;
  return (await ask(explainUrl, { query: { link: given } })).link.id;
}

const findLinks = tool('find_links', {
  title: 'Find links',
  description:
    'Lists links of an app, newest first, perhaps only those that a search and filters leave. A page may be short or empty before the end: while `next` is not null, call again with it as `cursor`.',
  hints: READS,
  input: z.object({
    appId: appId(),
    search: text(4_096)
      .min(1)
      .optional()
      .describe(
        'Words that are somewhere in the name, the slug and the destination of links that people made. Links of SDK and server keys are found by the beginning of the destination if it starts with `/`, else of the slug; among the newest 10,000 links also by any part of the destination. Of a URL the last part of its path counts.',
      ),
    state: z
      .enum([...linkStates, 'all'])
      .default('all')
      .describe(
        '`archived`: it was switched off. `expired`: its end has passed, and it is not archived. `live`: neither.',
      ),
    tag: tagText().optional().describe('Only links with this tag.'),
    createdFrom: anyTime().optional().describe('Only links created at this time or later, e.g. 2026-11-23T00:00:00Z.'),
    createdBefore: anyTime().optional().describe('Only links created before this time.'),
    ...page,
    cursor: linkCursor().optional().describe('`next` of the previous page.'),
  }),
  output: listLinks.reply,
  run: ({ appId, ...query }, ask) => ask(listLinks, { params: { appId }, query }),
});

const getOne = tool('get_link', {
  title: 'Get a link',
  description: 'Returns one link: where it leads in the app, its metadata, its end, and whether it is archived.',
  hints: READS,
  input: z.object({ link: link() }),
  output: getLink.reply,
  run: async ({ link }, ask) => ask(getLink, { params: { linkId: await idOf(link, ask) } }),
});

const createLink = tool('create_link', {
  title: 'Create a link',
  description:
    'Makes a link of an app and returns it with its URL. It counts in the plan of the app. Ask the person before you make more than a few.',
  hints: ADDS,
  input: z.object({
    appId: appId(),
    destination: destination().describe('The path in the app, with its query, e.g. `/product/42?color=red`. No URL.'),
    metadata: metadata()
      .optional()
      .describe(
        'Facts that the app gets with the link. `og_title`, `og_description` and `og_image` are its preview; `utm_source`, `utm_medium` and `utm_campaign` count in analytics.',
      ),
    name: linkInput.name,
    tags: tagList().optional(),
    slug: ownSlug().optional(),
    expiresAt: anyTime().nullable().optional().describe('The link stops working at this time. Omitted: never.'),
    idempotencyKey: text(255)
      .min(1)
      .optional()
      .describe('Repeat a call that was not answered with the same key: it makes no second link.'),
  }),
  output: createManagedLink.reply,
  run: ({ appId, idempotencyKey, ...body }, ask) =>
    ask(createManagedLink, { params: { appId }, body, headers: { 'idempotency-key': idempotencyKey } }),
});

const archiveLink = tool('archive_link', {
  title: 'Archive a link',
  description:
    'Switches a link off: from now on, taps on it lead to no destination. `archived: false` switches it on again. Ask the person first.',
  hints: REPLACES,
  input: z.object({ link: link(), archived: z.boolean().default(true).describe('False: the link works again.') }),
  output: editLink.reply,
  run: async ({ link, archived }, ask) =>
    ask(editLink, { params: { linkId: await idOf(link, ask) }, body: { archived } }),
});

const { answer } = explainLink.reply.shape;

const explainTap = tool('explain_tap', {
  title: 'Explain a tap',
  description:
    'Says what a tap on a link does on a device, and why, step by step: the app opens, a store, a web page, or a page of ours. Nothing is recorded. Use it when a link does not do what somebody expects.',
  hints: READS,
  input: z.object({
    link: link(),
    device: z
      .enum([...deviceIds])
      .default('iphone-safari')
      .describe(`The device and its browser. ${devices.map(({ id, name }) => `\`${id}\`: ${name}`).join('; ')}.`),
    installed: z.boolean().default(false).describe('Whether the app is on the device.'),
    userAgent: text(1_024).optional().describe('A user agent of your own. It replaces that of the device.'),
  }),
  output: explainLink.reply.extend({ answer: answer.omit({ headers: true }) }),
  run({ link, installed, ...visitor }, ask) {
    const query = { ...visitor, installed: String(installed) };
    if (ID.test(link)) return ask(explainLink, { params: { linkId: link }, query });
    return ask(explainUrl, { query: { link, ...query } });
  },
});

export const linkTools = [findLinks, getOne, createLink, archiveLink, explainTap];
