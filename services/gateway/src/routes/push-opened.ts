import { RecordOpen, TOKEN_LENGTH, text } from '@landfall/contracts';
import { z } from 'zod';
import { orRefuse, route } from '../routing/route.ts';
import { tolerated } from './fields.ts';
import { hashOfToken } from './push-fields.ts';

export const pushOpened = route({
  method: 'POST',
  path: '/api/push/opened',
  name: 'recordOpen',
  tag: 'push',
  summary: 'Report that a push was opened: once for each notification and device, however often it is said',
  spec: '4.8',
  auth: 'key',
  limit: 'push-opened',
  body: z.object({
    notificationId: text(200)
      .regex(/\S/, 'must not be blank')
      .describe('As it came with the push, also of another service.'),
    deviceToken: text(TOKEN_LENGTH).optional().describe('As it came with the push.'),
    ...tolerated,
  }),
  reply: z.object({}),
  errors: [],
  async handle({ body: { notificationId, deviceToken }, key: { app } }, { bus }) {
    // An app says what an old push had in it: what no device can have is as good as nothing, and no fault of the app's.
    const tokenHash = deviceToken ? hashOfToken(deviceToken) : null;
    orRefuse(await bus.ask(RecordOpen, { appId: app.id, notificationId, tokenHash }));
    return {};
  },
});
