import { RecordHeartbeat } from '@landfall/contracts';
import { z } from 'zod';
import { orRefuse, route } from '../routing/route.ts';
import { platformOf } from './asker.ts';
import { appVersionHeader, clientFacts } from './client-facts.ts';
import { clientPlatform, deviceFingerprint, tolerated } from './fields.ts';

export const installHeartbeat = route({
  method: 'POST',
  path: '/api/deferred-deep-linking/install-heartbeat',
  name: 'recordHeartbeat',
  summary: 'Report an install or an app start',
  spec: '4.5',
  auth: 'key',
  limit: 'heartbeat',
  headers: appVersionHeader,
  body: z.object({ deviceFingerprint: deviceFingerprint(), platform: clientPlatform(), ...tolerated }),
  reply: z.object({ isFirstLaunch: z.boolean() }),
  errors: [],
  async handle({ body, key: { app }, address, userAgent, ...call }, { bus, hashes }) {
    const answer = await bus.ask(RecordHeartbeat, {
      appId: app.id,
      fingerprint: hashes.fingerprint(body.deviceFingerprint),
      address: hashes.address(address),
      platform: body.platform ?? platformOf(userAgent),
      userAgent: hashes.userAgent(userAgent),
      ...clientFacts(call),
      matching: app.matching,
    });
    return { isFirstLaunch: orRefuse(answer).isFirstLaunch };
  },
});
