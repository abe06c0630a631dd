import { ListLinkTags } from '@landfall/contracts';
import { z } from 'zod';
import { manageRoute } from '../routing/route.ts';

export const listTags = manageRoute('GET /api/manage/apps/:appId/tags', {
  summary: 'List the tags of the links of an app, by name',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({
    tags: z.array(
      z.object({ tag: z.string(), links: z.int().describe('The number of links, also of archived ones.') }),
    ),
  }),
  async handle({ params: { appId } }, { forward, lookups }) {
    await lookups.existingApp(appId);
    return forward(ListLinkTags, { appId });
  },
});
