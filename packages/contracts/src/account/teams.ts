// Teams, and the event of their changes.
import { z } from 'zod';
import { event } from '../define.ts';
import { instant, text, uuid } from '../fields.ts';

export const Team = z.object({ id: uuid(), name: text(200).min(1), createdAt: instant(), version: z.int() });
export type Team = z.output<typeof Team>;

export const TeamChanged = event({
  name: 'TeamChanged',
  description: 'A team changed. Caches must drop it.',
  audience: 'internal',
  producer: 'console',
  topic: 'team.changed',
  data: z.object({ teamId: uuid().describe('The team.') }),
  key: (data) => data.teamId,
});
