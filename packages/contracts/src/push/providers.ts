// Messages about the push credentials of an app for Firebase and Apple, and their state.
import { z } from 'zod';
import { actor } from '../account/index.ts';
import { requestsOf } from '../define.ts';
import { instant, sealed, text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';

const { query, command } = requestsOf('push');

/** The public parts of credentials. */
export const PushCredentialFacts = z.object({
  projectId: text(200).nullable(),
  clientEmail: text(320).nullable(),
  keyId: text(20).nullable(),
  teamId: text(20).nullable(),
  bundleId: text(255).nullable(),
});
export type PushCredentialFacts = z.output<typeof PushCredentialFacts>;

export const PushProvider = z.object({
  kind: PushKind,
  facts: PushCredentialFacts,
  setAt: instant(),
  /** No push is sent before this time, because the provider asked for a pause. */
  waitUntil: instant().nullable(),
  /** Since this time no push is sent, because the provider refused the credentials. */
  pausedAt: instant().nullable(),
  pauseReason: text(500).nullable(),
  version: z.int(),
});
export type PushProvider = z.output<typeof PushProvider>;

const PROVIDER_NOT_FOUND = z.object({});
const change = { actor: actor(), teamId: uuid().nullable(), appId: uuid(), kind: PushKind };

/** The sender has checked the format of the credentials. The push service asks the provider whether they are valid. */
export const SetPushProvider = command('SetPushProvider', {
  description: 'Sets the push credentials of an app, and ends a pause.',
  input: z.object({ ...change, credentials: sealed('push credentials'), facts: PushCredentialFacts }),
  reply: z.object({
    provider: PushProvider,
    /** True when the provider accepted the credentials. False: the provider could not be reached. */
    checked: z.boolean(),
  }),
  refusals: { PUSH_CREDENTIALS_REFUSED: z.object({ reason: text(500) }) },
  key: (input) => input.appId,
});

export const RemovePushProvider = command('RemovePushProvider', {
  description: 'Deletes the credentials of an app for a provider.',
  input: z.object(change),
  reply: z.object({}),
  refusals: { PROVIDER_NOT_FOUND },
  key: (input) => input.appId,
});

export const ResumePushProvider = command('ResumePushProvider', {
  description: 'Ends the pause of a provider, after the cause of its refusals is fixed.',
  input: z.object(change),
  reply: z.object({ provider: PushProvider }),
  refusals: { PROVIDER_NOT_FOUND },
  key: (input) => input.appId,
});

export const ListPushProviders = query('ListPushProviders', {
  description: 'Lists the providers with credentials of an app, and whether they are paused.',
  input: z.object({ appId: uuid() }),
  reply: z.object({ providers: z.array(PushProvider) }),
  key: (input) => input.appId,
});
