// What nobody needs any more is deleted, a little at a time.
import type { Database } from '@landfall/db';
import { deleteInChunks } from '@landfall/worker';
import { liveSince } from './domain/session.ts';
import { FORGET_MS, KNOWN_PLACE_DAYS } from './domain/sign-in.ts';

export interface Retention {
  auditDays: number;
}

export interface Deleted {
  sessions: number;
  signIns: number;
  invitations: number;
  failures: number;
  knownPlaces: number;
  audit: number;
  keyUses: number;
  countedUses: number;
}

const DAY_MS = 86_400_000;
/** What is over is kept for as long as a message may be delivered again that made it. */
const AFTER_THE_END_DAYS = 7;
/** How much keys were used. Nothing is told anew that is older. */
const KEY_USE_DAYS = 30;
/** A run never stands in the way of requests for long. */
const MAX_ROWS = 100_000;

/**
 * Deletes what is over at `now`, at most `maxRows` of each kind. Waits for nobody and holds nobody up: rows that are in use
 * are left for the next time.
 */
export async function deleteExpired(
  database: Database,
  now: Date,
  keep: Retention,
  maxRows = MAX_ROWS,
): Promise<Deleted> {
  const inChunks = (statement: string, ...values: Date[]) =>
    deleteInChunks(maxRows, async (size) => {
      const [gone] = await database.rows<{ count: number }>(statement, [size, ...values]);
      return gone!.count;
    });
  const over = daysBefore(now, AFTER_THE_END_DAYS);
  return {
    sessions: await inChunks(deadSessions, over, liveSince(over)),
    signIns: await inChunks(oldSignIns, over),
    invitations: await inChunks(closedInvitations, over),
    failures: await inChunks(forgottenFailures, new Date(now.getTime() - FORGET_MS)),
    knownPlaces: await inChunks(forgottenPlaces, daysBefore(now, KNOWN_PLACE_DAYS)),
    audit: await inChunks(oldAudit, daysBefore(now, keep.auditDays)),
    keyUses: await inChunks(oldKeyUses, daysBefore(now, KEY_USE_DAYS)),
    countedUses: await inChunks(oldCountedUses, daysBefore(now, KEY_USE_DAYS)),
  };
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

const deletion = (table: string, condition: string): string => `
  with old as (select ctid from account.${table} where ${condition} limit $1 for update skip locked),
    gone as (delete from account.${table} t using old where t.ctid = old.ctid returning 1)
  select count(*)::int as count from gone`;

const deadSessions = deletion('sessions', 'ended_at < $2 or ends_at < $2 or last_seen_at < $3');
/** Only so that a second delivery is answered as the first one. */
const oldSignIns = deletion('changes', `command in ('SignIn', 'SignInByProvider') and at < $2`);
const closedInvitations = deletion('invitations', 'closed_at < $2 or expires_at < $2');
const forgottenFailures = deletion('sign_in_failures', 'last_at < $2');
const forgottenPlaces = deletion('known_places', 'seen_at < $2');
const oldAudit = deletion('audit', 'at < $2');
const oldKeyUses = deletion('key_uses', 'hour < $2');
const oldCountedUses = deletion('counted_uses', 'at < $2');
