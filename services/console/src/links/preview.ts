// What a link that perhaps does not exist yet shows: its preview in messages and feeds, and its page with a look that is
// not stored. The function that answers taps makes both.
import { randomUUID } from 'node:crypto';
import { type App, BrandingSettings, type Link, text } from '@landfall/contracts';
import { devices, explain, linkHost } from '@landfall/gateway';
import { ApiError, framedPage, Reply } from '@landfall/http';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { appName } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

const deviceOf = (id: string) => devices.find((device) => device.id === id)!;
const MESSENGER = deviceOf('slack-preview');
/** Browsers that get a page, most of all with a button. One of them gets one from any app. */
const BROWSERS = ['ios-web-view', 'android-web-view', 'iphone-safari', 'mac-chrome'].map(deviceOf);
const NO_SOCIAL = { title: null, description: null, imageUrl: null };

const value = () => text(2_048).optional();

export const previewLink = manageRoute('GET /api/manage/apps/:appId/links/preview', {
  summary:
    'Say what messengers and feeds would show for a link: one with these values in its metadata. Nothing is stored',
  needs: { role: 'viewer', of: 'app' },
  query: z
    .object({
      og_title: value(),
      title: value(),
      og_description: value(),
      description: value(),
      og_image: value(),
      image: value(),
      settings: z
        .enum(['true', 'false'])
        .default('true')
        .describe('`false`: without the texts in the settings of the app.'),
    })
    .describe('Each one as in the metadata of a link.'),
  reply: z.object({
    siteName: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
  }),
  async handle({ params: { appId }, query }, parts) {
    const { settings, ...metadata } = query;
    const stored = await parts.lookups.existingApp(appId);
    const { branding } = stored;
    const app =
      settings === 'true' ? stored : { ...stored, branding: { ...branding, sentence: null }, social: NO_SOCIAL };
    const { answer, response } = shown(app, metadata, MESSENGER, parts);
    const { page } = answer;
    if (page?.kind !== 'preview') throw new Error(`a messenger gets no preview of links of ${appId}`);
    const { title, description, imageUrl } = page.social;
    // An address that no page may have is in no tag.
    const hasImage = `${response.body}`.includes('<meta property="og:image"');
    return { siteName: app.name, title, description, imageUrl: hasImage ? imageUrl : null };
  },
});

export const previewPage = manageRoute('GET /api/manage/apps/:appId/page-preview', {
  summary:
    'Get the page of a link with a look of the app that is not stored; for a frame of the web app. Nothing is stored',
  needs: { role: 'member', of: 'app' },
  query: z.object({
    name: appName().optional().describe('If omitted: the name of the app.'),
    ...BrandingSettings.shape,
  }),
  downloads: ['text/html'],
  reply: z.instanceof(Reply),
  errors: ['NOT_FOUND'],
  async handle({ params: { appId }, query, header }, parts) {
    // Anywhere else it would look like a page of ours.
    if ((header('sec-fetch-dest') ?? 'iframe') !== 'iframe') throw new ApiError('NOT_FOUND');
    const stored = await parts.lookups.existingApp(appId);
    const { name = stored.name, ...look } = query;
    const app = { ...stored, name, branding: { ...stored.branding, ...look } };
    for (const browser of BROWSERS) {
      const { response } = shown(app, {}, browser, parts, header('accept-language'));
      if (response.body !== '') return framedPage(response.body, `${response.headers['Content-Security-Policy']}`);
    }
    throw new ApiError('NOT_FOUND');
  },
});

/** What a browser would get for a link of the app. */
function shown(
  app: App,
  metadata: Link['metadata'],
  browser: (typeof devices)[number],
  parts: ConsoleParts,
  language?: string,
) {
  const link: Link = {
    id: randomUUID(),
    appId: app.id,
    slug: 'preview',
    destination: '/',
    metadata,
    createdAt: parts.now().toISOString(),
    expiresAt: null,
    archivedAt: null,
    version: 1,
  };
  const headers = {
    ...browser.headers,
    'user-agent': browser.userAgent,
    ...(language && { 'accept-language': language }),
  };
  const asked = { host: linkHost(app, parts.config), tappedQuery: '', headers };
  // An archived app shows no page. Here it does: nobody taps.
  return explain({ app: { ...app, archivedAt: null }, link }, asked, false, parts);
}
