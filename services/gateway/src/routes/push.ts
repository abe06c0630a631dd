// Routes of the devices that get pushes: register, report an opened push, unregister.
import {
  Platform,
  PushEnvironment,
  RecordOpen,
  RegisterDevice,
  TOKEN_LENGTH,
  text,
  UNREADABLE_LANGUAGE,
  UnregisterDevice,
} from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { userEmail } from '../access/identity.ts';
import { readLanguage } from '../links/language.ts';
import { appVersionHeader, clientFacts, clientHeaders, platformOf } from '../phone/asker.ts';
import { deviceToken, hashOfToken, kindOf, spelt } from '../phone/device-token.ts';
import { route } from '../routing/route.ts';
import { identityToken, tolerated } from './fields.ts';

export const pushRegister = route('POST /api/push/register', {
  summary: 'Register a device for push with its signed-in user; without `userEmail` nobody is signed in',
  spec: '4.7',
  auth: 'key',
  limit: 'push-register',
  headers: clientHeaders,
  body: z.object({
    deviceToken: deviceToken(),
    platform: Platform,
    userEmail: userEmail().optional(),
    identityToken: identityToken().optional(),
    language: text(4_096)
      .optional()
      .describe(
        'The language of the app, BCP 47 or as the system spells it: `de-AT`, `de_AT`, `sr_RS_#Latn`. If omitted, it does not change. After a language that cannot be read, the device has none, and gets the texts that are for everybody.',
      ),
    environment: PushEnvironment.optional().describe('For an APNs token: the host of Apple that knows it.'),
    ...tolerated,
  }),
  reply: z.object({}),
  errors: ['IDENTITY_TOKEN_INVALID'],
  async handle(call, { bus, clientCalls, hashes, identities, sealer }) {
    const { body, key } = call;
    const userEmail = await identities.userOf(body, key);
    const token = spelt(body.deviceToken);
    const answer = await bus.ask(RegisterDevice, {
      appId: key.app.id,
      token: sealer.seal('device token', token),
      tokenHash: hashOfToken(token),
      // The schema has already checked the token.
      kind: kindOf(token)!,
      environment: body.environment ?? null,
      platform: body.platform,
      email: userEmail === undefined ? null : hashes.email(userEmail),
      language: body.language === undefined ? null : (readLanguage(body.language) ?? UNREADABLE_LANGUAGE),
      ...clientFacts(call),
    });
    orRefuse(answer);
    clientCalls.called(call, body.platform, 'push');
    return {};
  },
});

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
