// Routes of an app's push credentials for Firebase and Apple. No reply ever shows them.

import {
  ListPushProviders,
  PushKind,
  PushProvider,
  RemovePushProvider,
  ResumePushProvider,
  SetPushProvider,
  text,
} from '@landfall/contracts';
import { ApiError, invalid, strict } from '@landfall/http';
import { PushCredentialsError, parsePushCredentials, writePushCredentials } from '@landfall/runtime';
import { z } from 'zod';
import { id } from '../routes/manage-fields.ts';
import { byOf, manageRoute } from '../routing/route.ts';

const providerParams = z.object({ appId: id(), kind: PushKind });
const secret = () => text(8_192).optional().meta({ format: 'password' });
const ofApple = {
  key: secret().describe('The content of the .p8 file.'),
  keyId: text(20).optional(),
  teamId: text(20).optional(),
  bundleId: text(255).optional(),
};
/** Google may add fields to its file. Apple's fields are typed by hand, so unknown ones are refused. */
const appleFields = strict(z.object(ofApple));

export const listPushProviders = manageRoute('GET /api/manage/apps/:appId/push-providers', {
  summary: 'List the push providers with credentials of an app: whether they are paused, and why',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ providers: z.array(PushProvider) }),
  handle: ({ params }, { forward }) => forward(ListPushProviders, params),
});

export const setPushProvider = manageRoute('PUT /api/manage/apps/:appId/push-providers/:kind', {
  summary: 'Set the push credentials of an app; they are tested, and never shown',
  needs: { role: 'admin', of: 'app' },
  params: providerParams,
  body: z
    .looseObject({
      type: text(100).optional(),
      project_id: text(200).optional(),
      client_email: text(320).optional(),
      private_key: secret(),
      ...ofApple,
    })
    .describe(
      '`fcm`: the unchanged JSON file of a service account. `apns`: exactly `key`, `keyId`, `teamId` and `bundleId`.',
    ),
  reply: z.object({
    provider: PushProvider,
    checked: z.boolean().describe('True when the provider accepted them. False: the provider could not be reached.'),
  }),
  errors: ['PUSH_CREDENTIALS_REFUSED'],
  async handle(call, parts) {
    const by = await byOf(call, parts);
    const { credentials: given, facts } = read(call.params.kind, call.body);
    const credentials = parts.sealer.seal('push credentials', writePushCredentials(given));
    return parts.forward(SetPushProvider, { ...by, ...call.params, credentials, facts });
  },
});

/** Checks the format of credentials. The provider checks whether they are valid. */
function read(kind: PushKind, given: object) {
  const fields = kind === 'apns' ? appleFields.safeParse(given) : { success: true as const };
  if (!fields.success) throw invalid(fields.error);
  try {
    return parsePushCredentials(kind, given);
  } catch (error) {
    if (!(error instanceof PushCredentialsError)) throw error;
    throw new ApiError('INVALID_REQUEST', [{ path: error.field ?? 'body', message: error.fault }]);
  }
}

export const removePushProvider = manageRoute('DELETE /api/manage/apps/:appId/push-providers/:kind', {
  summary: 'Delete the credentials of an app for a provider',
  needs: { role: 'admin', of: 'app' },
  params: providerParams,
  reply: z.object({}),
  errors: ['PROVIDER_NOT_FOUND'],
  handle: async (call, parts) => parts.forward(RemovePushProvider, { ...(await byOf(call, parts)), ...call.params }),
});

export const resumePushProvider = manageRoute('POST /api/manage/apps/:appId/push-providers/:kind/resume', {
  summary: 'Resume a paused provider, after the cause of its refusals is fixed',
  needs: { role: 'admin', of: 'app' },
  params: providerParams,
  reply: z.object({ provider: PushProvider }),
  errors: ['PROVIDER_NOT_FOUND'],
  handle: async (call, parts) => parts.forward(ResumePushProvider, { ...(await byOf(call, parts)), ...call.params }),
});
