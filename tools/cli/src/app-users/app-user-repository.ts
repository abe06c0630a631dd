// Deletes what is stored under the email of an app's user. The tables are those of docs/reference/data-inventory.md.
import { hash, randomUUID } from 'node:crypto';
import { connect, type PrismaTransaction } from '@landfall/db';

/** Without an index on emails of closed rows, a statement may read whole tables. */
const LIMITS = { statement: 0, lock: 60_000 };

/** As the push service writes it for a device that an admin deletes. Its row goes 30 days later. */
const DELETED = 'deleted';
/** Takes the place of a hash in a list of at least one. It is the hash of nothing. */
const NOBODY = 'A'.repeat(43);

export function appUserRepository(url: string) {
  const database = connect({ url, max: 1, limits: LIMITS });
  return {
    /** Resolves with the number of rows of each table. `email`: the keyed hash, as base64url. */
    deleteEmail: (email: string, now: Date): Promise<Record<string, number>> =>
      database.prisma.$transaction(async (tx) => ({
        ...(await inAttribution(tx, email)),
        ...(await inPush(tx, email, now)),
        'account.sign_in_failures': await tx.$executeRaw`
          delete from account.sign_in_failures where email_hash = ${Buffer.from(email, 'base64url')}`,
      })),
    close: (): Promise<void> => database.close(),
  };
}

async function inAttribution(tx: PrismaTransaction, email: string): Promise<Record<string, number>> {
  const bytes = Buffer.from(email, 'base64url');
  const apps = await tx.$queryRaw<{ id: string }[]>`select id::text from account.apps`;
  // The claimant of a restore with an email.
  const claimants = apps.map(({ id }) => hash('sha256', `${id} email ${email}`, 'buffer'));
  const pending = await tx.$queryRaw<{ id: string }[]>`
    delete from attribution.pending_links where email = ${bytes} returning id::text`;
  const ids = pending.map(({ id }) => id);
  return {
    'attribution.pending_links': ids.length,
    // Also restores by other evidence that gave such a link: their reply has its URL.
    'attribution.restores': await tx.$executeRaw`
      delete from attribution.restores
      where claimant = any(${claimants}) or email = ${bytes} or pending_ids && ${ids}::uuid[]`,
    // An email identifies a device that has no fingerprint.
    'attribution.devices': await tx.$executeRaw`delete from attribution.devices where device = ${bytes}`,
    'attribution.contacts': await tx.$executeRaw`delete from attribution.contacts where device = ${bytes}`,
  };
}

async function inPush(tx: PrismaTransaction, email: string, now: Date): Promise<Record<string, number>> {
  const bytes = Buffer.from(email, 'base64url');
  const by = randomUUID();
  return {
    'push.devices': await tx.$executeRaw`
      update push.devices set token = '', environment = null, email = null, language = null, email_before = null,
        email_since = null, last_seen = ${now}, registered_by = ${by}::uuid, dropped_at = ${now}, drop_reason = ${DELETED},
        dropped_by = ${by}::uuid
      where email = ${bytes}`,
    // Somebody else uses the device now.
    'push.devices, as the user before': await tx.$executeRaw`
      update push.devices set email_before = null, email_since = null where email_before = ${bytes}`,
    'push.notifications, in the target': await tx.$executeRaw`
      update push.notifications set target = replace(target::text, ${email}, ${NOBODY})::json
      where strpos(target::text, ${email}) > 0`,
  };
}
