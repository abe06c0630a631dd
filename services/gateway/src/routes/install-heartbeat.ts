import { RecordHeartbeat, settingsOfHeartbeat } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { clientFacts, clientHeaders, platformOf } from '../phone/asker.ts';
import { phoneFields, phoneOf } from '../phone/phone-fields.ts';
import { route } from '../routing/route.ts';
import { deviceFingerprint, tolerated } from './fields.ts';

export const installHeartbeat = route('POST /api/deferred-deep-linking/install-heartbeat', {
  summary: 'Report an install or an app start',
  spec: '4.5',
  auth: 'key',
  limit: 'heartbeat',
  headers: clientHeaders,
  body: z.object({ deviceFingerprint: deviceFingerprint(), ...phoneFields, ...tolerated }),
  reply: z.object({ isFirstLaunch: z.boolean() }),
  async handle(call, { bus, clientCalls, hashes, now }) {
    const { body, key, address, userAgent } = call;
    const { app } = key;
    const fingerprint = hashes.fingerprint(body.deviceFingerprint);
    const platform = body.platform ?? platformOf(userAgent);
    const answer = await bus.ask(RecordHeartbeat, {
      appId: app.id,
      fingerprint,
      address: hashes.address(address),
      site: hashes.site(address),
      platform,
      ...phoneOf(body, { platform, device: fingerprint, appId: app.id, now: now() }, hashes),
      userAgent: hashes.userAgent(userAgent),
      ...clientFacts(call),
      matching: settingsOfHeartbeat(app.matching),
    });
    const { isFirstLaunch } = orRefuse(answer);
    clientCalls.called(call, platform, 'heartbeat');
    return { isFirstLaunch };
  },
});
