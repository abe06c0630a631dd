import { RecordOpen, TOKEN_LENGTH, text } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { route } from '../routing/route.ts';
import { appVersionHeader, clientFacts, platformOf } from './asker.ts';
import { hashOfToken } from './device-token.ts';
import { tolerated } from './fields.ts';

export const pushOpened = route('POST /api/push/opened', {
  summary: 'Report that a push was opened; it counts once for each notification and device',
  spec: '4.8',
  auth: 'key',
  limit: 'push-opened',
  headers: appVersionHeader,
  body: z.object({
    notificationId: text(200)
      .regex(/\S/, 'must not be blank')
      .describe('The id that came with the push, even if it is from another service.'),
    deviceToken: text(TOKEN_LENGTH).optional().describe('The token that came with the push.'),
    ...tolerated,
  }),
  reply: z.object({}),
  async handle({ body: { notificationId, deviceToken }, key: { app }, userAgent, ...call }, { bus }) {
    // An old push may carry any value. A token that no device can have is ignored, because it is not the app's fault.
    const tokenHash = deviceToken ? hashOfToken(deviceToken) : null;
    const facts = { platform: platformOf(userAgent), ...clientFacts(call) };
    orRefuse(await bus.ask(RecordOpen, { appId: app.id, notificationId, tokenHash, ...facts }));
    return {};
  },
});
