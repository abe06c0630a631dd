import { type Database, deleteOld } from '@landfall/db';
import { liveSince } from './sessions/session-repository.ts';
import { FORGET_MS, KNOWN_PLACE_DAYS } from './sessions/sign-in-delays.ts';

/** Days for which ended rows are kept, for those who look for a reason. */
const AFTER_THE_END_DAYS = 7;
/** Days for which an expired share can be given another end. */
const EXPIRED_SHARE_DAYS = 90;
/** Days for which the uses of keys are kept. Older uses are not published again. */
const KEY_USE_DAYS = 30;
/** Days for which the calls of a client are shown after the last one of their kind. */
const CLIENT_CALL_DAYS = 30;
/** Days for which messages to channels are kept. A report that is made again within this time is known. */
const MESSAGE_DAYS = 90;
/** The maximum number of deleted rows of each kind, so that a run does not slow down requests for long. */
const MAX_ROWS = 100_000;

/** Waits for no lock and blocks no other transaction for long: locked rows stay until the next run. */
export async function deleteExpired(
  database: Database,
  now: Date,
  keep: { KEEP_AUDIT_DAYS: number },
  maxRows = MAX_ROWS,
) {
  const remove = (table: string, where: string, ...values: Date[]) =>
    deleteOld(database, { table: `account.${table}`, where, values }, maxRows);
  const over = daysBefore(now, AFTER_THE_END_DAYS);
  const keyUsesEnd = daysBefore(now, KEY_USE_DAYS);
  return {
    sessions: await remove('sessions', 'ended_at < $2 or ends_at < $2 or last_seen_at < $3', over, liveSince(over)),
    // The version before stored them for redelivered messages.
    signIns: await remove('changes', `command in ('SignIn', 'SignInByProvider') and at < $2`, over),
    invitations: await remove('invitations', 'closed_at < $2 or expires_at < $2', over),
    shares: await remove('shares', 'revoked_at < $2 or expires_at < $3', over, daysBefore(now, EXPIRED_SHARE_DAYS)),
    failures: await remove('sign_in_failures', 'last_at < $2', new Date(now.getTime() - FORGET_MS)),
    knownPlaces: await remove('known_places', 'seen_at < $2', daysBefore(now, KNOWN_PLACE_DAYS)),
    audit: await remove('audit', 'at < $2', daysBefore(now, keep.KEEP_AUDIT_DAYS)),
    keyUses: await remove('key_uses', 'hour < $2', keyUsesEnd),
    countedUses: await remove('counted_uses', 'at < $2', keyUsesEnd),
    messages: await remove('channel_messages', 'created_at < $2', daysBefore(now, MESSAGE_DAYS)),
    clientCalls: await remove('client_calls', 'at < $2', daysBefore(now, CLIENT_CALL_DAYS)),
  };
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000);
