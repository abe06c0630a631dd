import { type App, type Link, text } from '@landfall/contracts';
import {
  appOfHost,
  askedUrls,
  asTapped,
  DEVICE_GROUPS,
  deviceIds,
  devices,
  type Explanation,
  explain,
  linkUrl,
  TRY_STEPS,
  tryRuleNames,
} from '@landfall/gateway';
import { ApiError, framedPage, ownUrl, Reply, redirect } from '@landfall/http';
import { z } from 'zod';
import { assertSignedIn, authorise } from '../access/authorise.ts';
import type { Caller } from '../access/caller.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';

const visitorQuery = {
  device: text(64)
    .refine((id) => deviceIds.has(id), { error: 'must be the id of a device: GET /api/manage/explain/devices' })
    .default('iphone-safari')
    .describe('The device and browser that taps: an `id` of `GET /api/manage/explain/devices`.'),
  userAgent: text(1_024).optional().describe('A user agent of your own. It replaces that of the device.'),
  installed: z.enum(['true', 'false']).default('false').describe('Whether the app is on the device.'),
};
type VisitorQuery = z.output<z.ZodObject<typeof visitorQuery>>;

const tappedLink = text(4_096)
  .regex(/^https?:\/\/\S+$/i, 'must be the URL of a link')
  .describe('The URL of the link, perhaps with a query.');

const reply = z.object({
  link: z.object({ id: z.uuid(), appId: z.uuid(), url: z.string(), destination: z.string() }),
  device: z.object({ id: z.string(), name: z.string(), userAgent: z.string() }),
  visitor: z.object({
    kind: z.enum(['person', 'bot', 'prefetch', 'unknown']),
    platform: z.enum(['ios', 'android', 'desktop', 'unknown']),
    inApp: z.string().nullable().describe('The app whose browser opened the link.'),
    store: z.enum(['apple', 'play', 'huawei', 'amazon']).nullable(),
    maybeTablet: z.boolean(),
  }),
  opensApp: z
    .boolean()
    .describe(
      'True when the phone opens the app by itself. Then the link host gets no request, and would give `answer`.',
    ),
  rule: z.enum(tryRuleNames).describe('The rule that decides.'),
  steps: z.array(z.object({ step: z.enum(TRY_STEPS), detail: z.string().describe('A sentence.') })),
  answer: z.object({
    status: z.int(),
    url: z.string().nullable().describe('Where the browser is sent.'),
    page: z.string().nullable().describe('The kind of the page.'),
    headers: z.record(z.string(), z.string()),
    counted: z.boolean().describe('True when the tap is recorded.'),
    deferred: z.boolean().describe('True when an install may be matched with the tap.'),
    target: z.enum(['store', 'web', 'page']).nullable(),
  }),
});

export const explainLink = manageRoute('GET /api/manage/links/:linkId/explain', {
  summary: 'Say what a tap on a link would do on a device, and why. Nothing is recorded',
  needs: { role: 'viewer', of: 'link' },
  query: z.object({
    ...visitorQuery,
    query: text(2_048).default('').describe('The query of the tapped URL, e.g. `utm_source=poster`.'),
  }),
  reply,
  async handle({ params: { linkId }, query }, parts) {
    const { link, app } = await parts.lookups.existingLink(linkId);
    const url = new URL(linkUrl(app, link, parts.config));
    url.search = query.query;
    return view({ app, link, url }, query, parts);
  },
});

const byUrl = {
  needs: 'anyone',
  errors: ['NOT_SIGNED_IN', 'LINK_NOT_FOUND'],
} as const;

const PUBLIC = 'Open to everyone for apps with `publicTry`. Else it needs the role viewer in the team of the app';

export const explainUrl = manageRoute('GET /api/manage/explain', {
  ...byUrl,
  summary: `Say what a tap on the URL of a link would do on a device, and why. Nothing is recorded. ${PUBLIC}`,
  query: z.object({ link: tappedLink, ...visitorQuery }),
  reply,
  async handle({ query, caller }, parts) {
    return view(await visible(query.link, caller, parts), query, parts);
  },
});

export const explainPage = manageRoute('GET /api/manage/explain/page', {
  ...byUrl,
  summary: `Get the page that a tap would show, for a frame of the web app. ${PUBLIC}`,
  query: z.object({ link: tappedLink, ...visitorQuery }),
  downloads: ['text/html'],
  reply: z.instanceof(Reply),
  errors: [...byUrl.errors, 'NOT_FOUND'],
  async handle({ query, caller, header }, parts) {
    // Anywhere else it would look like a page of ours.
    if ((header('sec-fetch-dest') ?? 'iframe') !== 'iframe') throw new ApiError('NOT_FOUND');
    const { response } = explained(await visible(query.link, caller, parts), query, parts, header('accept-language'));
    // A redirect has no page.
    if (response.body === '') throw new ApiError('NOT_FOUND');
    return framedPage(response.body, `${response.headers['Content-Security-Policy']}`);
  },
});

/** `?d=1` on a link leads here. The session belongs to this host, so only this host knows who is signed in. */
export const openExplanation = manageRoute('GET /api/manage/explain/open', {
  ...byUrl,
  summary:
    'Open the explanation of a link, in a browser: for members of its team who are signed in. Others go to the link, as with any tap',
  query: z.object({ link: tappedLink }),
  redirects: true,
  errors: ['LINK_NOT_FOUND'],
  reply: z.instanceof(Reply),
  async handle({ query, caller }, parts) {
    const found = await findLink(query.link, parts);
    if (!found) throw new ApiError('LINK_NOT_FOUND');
    const isMember = caller?.kind === 'session' && (await mayLook(found.link, caller, parts));
    const { PUBLIC_URL } = parts.config;
    return redirect(isMember ? ownUrl(PUBLIC_URL, '/try', { link: found.url.href }) : asTapped(found.url));
  },
});

export const listTryDevices = manageRoute('GET /api/manage/explain/devices', {
  summary: 'List the devices and browsers for which a tap can be explained',
  needs: 'anyone',
  reply: z.object({
    devices: z.array(
      z.object({ id: z.string(), name: z.string(), group: z.enum(DEVICE_GROUPS), userAgent: z.string() }),
    ),
  }),
  handle: async () => ({
    devices: devices.map(({ id, name, group, userAgent }) => ({ id, name, group, userAgent })),
  }),
});

interface Found {
  app: App;
  link: Link;
  url: URL;
}

async function findLink(given: string, parts: ConsoleParts): Promise<Found | null> {
  const url = URL.parse(given);
  const app = url && (await appOfHost(url.host, parts));
  const segments = url?.pathname.split('/').filter((segment) => segment !== '') ?? [];
  const link = app && segments.length === 1 ? await parts.lookups.slug(app.id, segments[0]!) : null;
  if (!url || !app || !link) return null;
  // Any scheme and port may be in the given URL.
  const [ours] = askedUrls(url.host, app, link, parts);
  return { app, link, url: new URL(url.search, ours) };
}

/** Throws the same error for a link that does not exist and for one that the caller may not see. */
async function visible(given: string, caller: Caller | null, parts: ConsoleParts): Promise<Found> {
  const found = await findLink(given, parts);
  if (found?.app.publicTry) return found;
  assertSignedIn('signed-in', caller);
  if (!found || !(await mayLook(found.link, caller, parts))) throw new ApiError('LINK_NOT_FOUND');
  return found;
}

async function mayLook({ id }: Link, caller: Caller | null, { lookups }: ConsoleParts): Promise<boolean> {
  try {
    await authorise({ role: 'viewer', of: 'link' }, caller, { params: { linkId: id }, body: undefined }, lookups);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function explained(
  { app, link, url }: Found,
  { device, userAgent, installed }: VisitorQuery,
  parts: ConsoleParts,
  language?: string,
): Explanation {
  const { headers, userAgent: usual } = deviceOf(device);
  const asked = {
    host: url.host,
    tappedQuery: url.search,
    headers: { ...headers, 'user-agent': userAgent ?? usual, ...(language && { 'accept-language': language }) },
  };
  return explain({ app, link }, asked, installed === 'true', parts);
}

function view(found: Found, query: VisitorQuery, parts: ConsoleParts) {
  const { rule, steps, visitor, opensApp, answer, response } = explained(found, query, parts);
  const { id, name, userAgent } = deviceOf(query.device);
  return {
    link: { id: found.link.id, appId: found.app.id, url: found.url.href, destination: found.link.destination },
    device: { id, name, userAgent: query.userAgent ?? userAgent },
    visitor,
    opensApp,
    rule,
    steps,
    answer: {
      status: answer.status,
      url: answer.location ?? null,
      page: answer.page?.kind ?? null,
      headers: Object.fromEntries(Object.entries(response.headers).map(([header, value]) => [header, `${value}`])),
      counted: answer.click,
      deferred: answer.deferred,
      target: answer.target,
    },
  };
}

const deviceOf = (id: string) => devices.find((device) => device.id === id)!;
