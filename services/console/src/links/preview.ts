// The preview in messages and feeds of a link that perhaps does not exist yet. The function that answers taps makes it.
import { randomUUID } from 'node:crypto';
import { type Link, text } from '@landfall/contracts';
import { devices, explain, linkHost, linkUrl } from '@landfall/gateway';
import { z } from 'zod';
import { manageRoute } from '../routing/route.ts';

const MESSENGER = devices.find(({ id }) => id === 'slack-preview')!;

const value = () => text(2_048).optional();

export const previewLink = manageRoute('GET /api/manage/apps/:appId/links/preview', {
  summary: 'Say what messengers and feeds would show for a link with these values in its metadata. Nothing is stored',
  needs: { role: 'viewer', of: 'app' },
  query: z
    .object({
      og_title: value(),
      title: value(),
      og_description: value(),
      description: value(),
      og_image: value(),
      image: value(),
    })
    .describe('Each one as in the metadata of a link.'),
  reply: z.object({
    siteName: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
  }),
  async handle({ params: { appId }, query }, parts) {
    // An archived app shows no preview. Here it does: nobody taps.
    const app = { ...(await parts.lookups.existingApp(appId)), archivedAt: null };
    const link: Link = {
      id: randomUUID(),
      appId,
      slug: 'preview',
      destination: '/',
      metadata: query,
      createdAt: parts.now().toISOString(),
      expiresAt: null,
      archivedAt: null,
      version: 1,
    };
    const asked = {
      host: linkHost(app, parts.config),
      tappedQuery: '',
      headers: { ...MESSENGER.headers, 'user-agent': MESSENGER.userAgent },
    };
    const { answer, response } = explain({ app, link }, asked, false, parts);
    const { page } = answer;
    if (page?.kind !== 'preview') throw new Error(`a messenger gets no preview of ${linkUrl(app, link, parts.config)}`);
    const { title, description, imageUrl } = page.social;
    // An address that no page may have is in no tag.
    const hasImage = `${response.body}`.includes('<meta property="og:image"');
    return { siteName: app.name, title, description, imageUrl: hasImage ? imageUrl : null };
  },
});
