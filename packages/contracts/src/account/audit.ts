// The audit log: the actor, the action, the time, the address, and the state before and after.
import { z } from 'zod';
import { hash, instant, json, text, uuid } from '../fields.ts';
import { Actor } from './people.ts';

export const AuditEntry = z.object({
  id: uuid(),
  at: instant(),
  actor: Actor.omit({ address: true }),
  /** The keyed hash of the address. */
  address: hash().nullable(),
  /** The name of the command: `CreateKey`. */
  action: text(100),
  teamId: uuid().nullable(),
  appId: uuid().nullable(),
  /** The id of the changed object. */
  subject: uuid(),
  /** The earlier state, without secrets. Null when there was no earlier state. */
  before: json().nullable(),
  after: json().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;
