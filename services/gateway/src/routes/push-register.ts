import { Platform, PushEnvironment, RegisterDevice, text } from '@landfall/contracts';
import { z } from 'zod';
import { orRefuse, route } from '../routing/route.ts';
import { kindOf, spelt } from './device-token.ts';
import { identityToken, orNothing, tolerated, userEmail } from './fields.ts';
import { readLanguage } from './language.ts';
import { deviceToken, hashOfToken } from './push-fields.ts';

export const pushRegister = route({
  method: 'POST',
  path: '/api/push/register',
  name: 'registerDevice',
  tag: 'push',
  summary: 'Register a device for push, and say who is signed in there: nobody, where `userEmail` is left out',
  spec: '4.7',
  auth: 'key',
  limit: 'push-register',
  body: z.object({
    deviceToken: deviceToken(),
    platform: Platform,
    userEmail: orNothing(userEmail()),
    identityToken: orNothing(identityToken()),
    language: text(100)
      .optional()
      .describe(
        'Of the app there, BCP 47: `de-AT`. What is no language is as good as left out; left out, it stays as it was.',
      ),
    environment: PushEnvironment.optional().describe("Of an APNs token: which of Apple's hosts knows it."),
    ...tolerated,
  }),
  reply: z.object({}),
  errors: ['IDENTITY_TOKEN_INVALID'],
  async handle({ body, key }, { bus, hashes, identities, sealer }) {
    const userEmail = await identities.userOf(body, key);
    const token = spelt(body.deviceToken);
    const answer = await bus.ask(RegisterDevice, {
      appId: key.app.id,
      token: sealer.seal('device token', token),
      tokenHash: hashOfToken(token),
      // Its schema has seen to it that there is one.
      kind: kindOf(token)!,
      environment: body.environment ?? null,
      platform: body.platform,
      email: userEmail === undefined ? null : hashes.email(userEmail),
      language: body.language === undefined ? null : readLanguage(body.language),
    });
    orRefuse(answer);
    return {};
  },
});
