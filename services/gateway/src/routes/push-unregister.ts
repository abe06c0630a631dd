import { UnregisterDevice } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { route } from '../routing/route.ts';
import { deviceToken, hashOfToken } from './device-token.ts';
import { tolerated } from './fields.ts';

export const pushUnregister = route('POST /api/push/unregister', {
  summary: 'Unregister a device: it gets no pushes until it registers again',
  auth: 'key',
  limit: 'push-register',
  body: z.object({ deviceToken: deviceToken(), ...tolerated }),
  reply: z.object({}),
  async handle({ body, key: { app } }, { bus }) {
    orRefuse(await bus.ask(UnregisterDevice, { appId: app.id, tokenHash: hashOfToken(body.deviceToken) }));
    return {};
  },
});
