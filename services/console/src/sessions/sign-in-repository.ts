// Stores the state of sign-ins: failures and known places.
import type { Database, PrismaTransaction } from '@landfall/db';
import { toBytes, toHash } from '../rows.ts';
import { type Failures, KNOWN_PLACE_DAYS } from './sign-in-delays.ts';

/** Identifies the failures of an email: from one known place, or from all other places (null). */
export interface Guessed {
  readonly emailHash: string;
  readonly place: string | null;
}

export function signInRepository({ prisma }: Database) {
  const where = ({ emailHash, place }: Guessed) => ({ emailHash: toBytes(emailHash), place: toBytes(place ?? '') });

  return {
    async failures(of: Guessed, tx: PrismaTransaction = prisma): Promise<Failures | null> {
      const select = { failures: true, nextAt: true, lastAt: true };
      return tx.signInFailures.findUnique({ where: { emailHash_place: where(of) }, select });
    },

    /** Runs `decide` in a transaction of its own, while no other attempt for the email counts. */
    inTurn<T>(of: Guessed, decide: (tx: PrismaTransaction) => Promise<T>): Promise<T> {
      return prisma.$transaction(async (tx) => {
        await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${of.emailHash}`}, 0))`;
        return decide(tx);
      });
    },

    async count(tx: PrismaTransaction, of: Guessed, failures: Failures): Promise<void> {
      const key = where(of);
      await tx.signInFailures.upsert({
        where: { emailHash_place: key },
        create: { ...key, ...failures },
        update: failures,
      });
    },

    async forget(tx: PrismaTransaction, of: Guessed): Promise<void> {
      await tx.signInFailures.deleteMany({ where: where(of) });
    },

    /** Returns those of the given places from which the person has recently signed in. */
    async knownPlaces(userId: string, places: readonly (string | null)[], now: Date, tx: PrismaTransaction = prisma) {
      const hashes = places.filter((place) => place !== null).map(toBytes);
      const seenAt = { gt: new Date(now.getTime() - KNOWN_PLACE_DAYS * 86_400_000) };
      const rows = await tx.knownPlace.findMany({ where: { userId, hash: { in: hashes }, seenAt } });
      return new Set(rows.map(({ hash }) => toHash(hash)));
    },

    async know(tx: PrismaTransaction, userId: string, places: readonly (string | null)[], now: Date): Promise<void> {
      for (const place of places.filter((one) => one !== null)) {
        await tx.$executeRaw`
          insert into account.known_places (user_id, hash, seen_at) values (${userId}::uuid, ${toBytes(place)}, ${now})
          on conflict (user_id, hash) do update set seen_at = excluded.seen_at
          where known_places.seen_at < excluded.seen_at`;
      }
    },
  };
}
