// What the clients of an app call, for its set-up page. It names no person and no device.
import { z } from 'zod';
import { MatchType } from '../attribution.ts';
import { clientName, Platform, SentEvidence } from '../client.ts';
import { eventsOf } from '../define.ts';
import { orNull, uuid } from '../fields.ts';

/** Evidence that a client sends with the first restores of an install alone. */
export const onceSent = ['installReferrer', 'clipboard'] as const;

export const ClientCallKind = z.enum(['heartbeat', 'restore', 'lookUp', 'push', ...onceSent]);
export type ClientCallKind = z.output<typeof ClientCallKind>;

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
    client: clientName().describe('The name of the client, and its version if the client tells it.'),
    call: ClientCallKind.describe(
      'What it called. `lookUp`: it looked up a link, with a key. `installReferrer`, `clipboard`: a restore that had it.',
    ),
    restore: orNull(ClientRestore).describe('The restore. Null for other calls.'),
  }),
  key: (data) => data.appId,
});
