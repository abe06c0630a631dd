// What people did: who, what, when, from where, and what it was before and after.
import { z } from 'zod';
import { request } from '../define.ts';
import { cursor, hash, instant, json, page, text, uuid } from '../fields.ts';
import { Actor, email } from './people/rights.ts';

export const AuditEntry = z.object({
  id: uuid(),
  at: instant(),
  actor: Actor.omit({ address: true }),
  /** Of the person, as it is now. */
  actorEmail: email().nullable(),
  /** Keyed hash of the address. */
  address: hash().nullable(),
  /** The command: `CreateKey`. */
  action: text(100),
  teamId: uuid().nullable(),
  appId: uuid().nullable(),
  /** What was changed. */
  subject: uuid(),
  /** Without secrets, and an `email` in it is sealed; null where there was nothing. */
  before: json().nullable(),
  after: json().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const ListAudit = request({
  kind: 'query',
  name: 'ListAudit',
  description: 'What was done in a team, or what belongs to none; latest first.',
  topic: 'account.queries',
  /** `teamId` is null for what belongs to no team. */
  input: z.object({ teamId: uuid().nullable(), appId: uuid().nullable(), userId: uuid().nullable(), ...page }),
  reply: z.object({ entries: z.array(AuditEntry), next: cursor().nullable() }),
  refusals: {},
  key: (input, id) => input.teamId ?? id,
});
