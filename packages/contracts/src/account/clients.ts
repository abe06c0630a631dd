// What the clients of an app call, for its set-up page. It names no person and no device.
import { z } from 'zod';
import { MatchType } from '../attribution.ts';
import { Platform } from '../client.ts';
import { eventsOf } from '../define.ts';
import { orNull, text, uuid } from '../fields.ts';

export const CLIENT_LENGTH = 60;

/** Evidence that a client sends with the first restores of an install alone. */
export const onceSent = ['installReferrer', 'clipboard'] as const;

export const ClientCallKind = z.enum(['heartbeat', 'restore', 'lookUp', 'push', ...onceSent]);
export type ClientCallKind = z.output<typeof ClientCallKind>;

const came = (field: string) => z.boolean().default(false).describe(`Whether it had ${field}.`);

/** The evidence of a restore: whether each field came, and no value. */
export const SentEvidence = z.object({
  installedSecondsAgo: came('`installedSecondsAgo`'),
  installReferrer: came('`installReferrer`'),
  clipboard: came('`clipboard`'),
  model: came('`model`'),
  osVersion: came('`osVersion`'),
  language: came('`language`'),
  addressToken: came('`addressToken`'),
  user: came('`userEmail` or `identityToken`'),
});
export type SentEvidence = z.output<typeof SentEvidence>;

export const ClientRestore = z.object({
  sent: SentEvidence.describe('The evidence that came with it.'),
  found: z.int().min(0).describe('The number of links that it gave.'),
  matchType: orNull(MatchType).describe('How the links were found. Null: there were none.'),
});
export type ClientRestore = z.output<typeof ClientRestore>;

export const ClientCalled = eventsOf('gateway').internalEvent('ClientCalled', {
  description:
    'A client of an app called. Sent at most every two seconds for each app, platform, client, kind of call and gateway, with the latest call.',
  topic: 'client.called',
  data: z.object({
    appId: uuid().describe('The app.'),
    platform: orNull(Platform).describe('The platform of the client. Null: not known.'),
    client: text(CLIENT_LENGTH).min(1).describe('The name of the client, and its version if the client tells it.'),
    call: ClientCallKind.describe(
      'What it called. `lookUp`: it looked up a link, with a key. `installReferrer`, `clipboard`: a restore that had it.',
    ),
    restore: orNull(ClientRestore).describe('The restore. Null for other calls.'),
  }),
  key: (data) => data.appId,
});
