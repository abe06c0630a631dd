import { instant } from '@landfall/contracts';
import { z } from 'zod';
import { manageRoute } from '../routing/route.ts';
import { ClientView } from './client-repository.ts';

export const listClients = manageRoute('GET /api/manage/apps/:appId/clients', {
  summary: 'List the clients that called for an app; with their latest calls and the evidence of their last restore',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({
    now: instant().describe('The time of Landfall, to count from.'),
    clients: z.array(ClientView).describe('At most 50. The one that called last comes first.'),
  }),
  handle: async ({ params: { appId } }, { account, now }) => ({
    now: now().toISOString(),
    clients: await account.clients.list(appId),
  }),
});
