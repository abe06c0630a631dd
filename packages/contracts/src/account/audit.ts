// The audit log: the actor, the action, the time, the address, and the state before and after.
import { z } from 'zod';
import { request } from '../define.ts';
import { cursor, hash, instant, json, page, text, uuid } from '../fields.ts';
import { Actor, actor, email } from './people/rights.ts';

export const AuditEntry = z.object({
  id: uuid(),
  at: instant(),
  actor: Actor.omit({ address: true }),
  /** The current email of the person. */
  actorEmail: email().nullable(),
  /** The keyed hash of the address. */
  address: hash().nullable(),
  /** The name of the command: `CreateKey`. */
  action: text(100),
  teamId: uuid().nullable(),
  appId: uuid().nullable(),
  /** The id of the changed object. */
  subject: uuid(),
  /** The earlier state, without secrets. An `email` in it is sealed. Null when there was no earlier state. */
  before: json().nullable(),
  after: json().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** Actions that change no row with an entry of its own, and actions that change too many. */
export const NoteAction = request({
  kind: 'command',
  name: 'NoteAction',
  description: 'Writes an action to the audit log that no other command writes.',
  topic: 'account.commands',
  input: z.object({
    actor: actor(),
    action: z.enum(['ImportLinks', 'CheckHosts', 'ReplayDeadLetters']),
    teamId: uuid().nullable(),
    appId: uuid().nullable().describe('The subject of the entry. Null: the subject is the action itself.'),
    /** The extent of the action, without personal data. */
    after: json().nullable(),
  }),
  reply: z.object({}),
  refusals: {},
  key: (input, id) => input.appId ?? id,
});

export const ListAudit = request({
  kind: 'query',
  name: 'ListAudit',
  description: 'Lists the changes in a team, or those that belong to no team; latest first.',
  topic: 'account.queries',
  /** `teamId` is null for entries that belong to no team. */
  input: z.object({ teamId: uuid().nullable(), appId: uuid().nullable(), userId: uuid().nullable(), ...page }),
  reply: z.object({ entries: z.array(AuditEntry), next: cursor().nullable() }),
  refusals: {},
  key: (input, id) => input.teamId ?? id,
});
