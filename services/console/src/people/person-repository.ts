// People: the users who manage apps.
import type { Person } from '@landfall/contracts';
import type { Database, PrismaTransaction, User } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { toBytes } from '../bytes.ts';

/** A person with their password hash. The hash never leaves this service. */
export interface Known {
  readonly person: Person;
  readonly passwordHash: string | null;
  /** Whoever owns the email may take the account over, because nobody has confirmed that its person does. */
  readonly claimable: boolean;
}

export type PersonRepository = ReturnType<typeof personRepository>;

/** Returns an email in the form in which emails are compared. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Stored instead of a password hash after a reset, until the person chooses a new password. No password matches it, but
 * the person still counts as having one.
 */
const RESET = '';

export function personRepository({ prisma }: Database, sealer: Sealer) {
  /** Returns a person in the form for other services: the email is sealed. */
  const toPerson = (row: User): Person => ({
    id: row.id,
    email: sealer.seal('email', row.email),
    name: row.name,
    instanceOwner: row.instanceOwner,
    hasPassword: row.passwordHash !== null,
    emailVerified: row.emailConfirmedAt !== null,
    createdAt: row.createdAt.toISOString(),
  });
  const toKnown = (row: User | null): Known | null =>
    row && {
      person: toPerson(row),
      passwordHash: row.passwordHash === RESET ? null : row.passwordHash,
      claimable: row.claimable,
    };
  /** Opens a sealed email, in the form in which it is stored. */
  const open = (email: string) => normalEmail(sealer.open('email', email));

  return {
    /** @param email sealed */
    async findByEmail(email: string, tx: PrismaTransaction = prisma): Promise<Known | null> {
      return toKnown(await tx.user.findUnique({ where: { email: open(email) } }));
    },

    async find(id: string, tx: PrismaTransaction = prisma): Promise<Known | null> {
      return toKnown(await tx.user.findUnique({ where: { id } }));
    },

    /** Locks the person. Waits for concurrent changes of the person. */
    async lock(tx: PrismaTransaction, id: string): Promise<Known | null> {
      await tx.$queryRaw`select 1 from account.users where id = ${id}::uuid for update`;
      return toKnown(await tx.user.findUnique({ where: { id } }));
    },

    /** Prevents other transactions from making a person with the email until this one ends. */
    async lockEmail(tx: PrismaTransaction, email: string): Promise<void> {
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`email ${open(email)}`}, 0))`;
    },

    /** @param email sealed */
    async insert(
      tx: PrismaTransaction,
      person: {
        id: string;
        email: string;
        name: string;
        passwordHash: string | null;
        instanceOwner: boolean;
        /** A provider has confirmed the email. */
        confirmed: boolean;
        claimable: boolean;
        now: Date;
      },
    ): Promise<Person> {
      const { now, email, confirmed, ...rest } = person;
      const emailConfirmedAt = confirmed ? now : null;
      return toPerson(
        await tx.user.create({ data: { ...rest, email: open(email), emailConfirmedAt, createdAt: now } }),
      );
    },

    async rename(tx: PrismaTransaction, id: string, name: string): Promise<Person> {
      return toPerson(await tx.user.update({ where: { id }, data: { name } }));
    },

    /** Stores that the person owns the email. Nobody can take the account over any more. */
    async confirm(tx: PrismaTransaction, id: string, now: Date): Promise<Person> {
      await tx.user.updateMany({ where: { id, emailConfirmedAt: null }, data: { emailConfirmedAt: now } });
      return toPerson(await tx.user.update({ where: { id }, data: { claimable: false } }));
    },

    /** Removes what others know of the account: its password and its reset code. Renames it for its owner. */
    async handOver(tx: PrismaTransaction, id: string, name: string): Promise<void> {
      const data = { name, passwordHash: null, resetCodeHash: null, resetExpiresAt: null };
      await tx.user.update({ where: { id }, data });
    },

    /** Lists people, latest first, after the row of the cursor. */
    async list(limit: number, after: { at: Date; id: string } | null): Promise<Person[]> {
      const rows = await prisma.user.findMany({
        where: after ? { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] } : {},
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map(toPerson);
    },

    /** Sets the password. A reset code stops working. */
    async setPassword(tx: PrismaTransaction, id: string, passwordHash: string): Promise<Person> {
      const data = { passwordHash, resetCodeHash: null, resetExpiresAt: null };
      return toPerson(await tx.user.update({ where: { id }, data }));
    },

    /**
     * Removes the password and stores a code for choosing another. An earlier code stops working. The person still
     * counts as having a password. Otherwise a new owner of their email could sign in through a provider in the
     * meantime.
     */
    async resetPassword(
      tx: PrismaTransaction,
      id: string,
      reset: { codeHash: string; expiresAt: Date },
    ): Promise<Person> {
      const code = { resetCodeHash: toBytes(reset.codeHash), resetExpiresAt: reset.expiresAt };
      // The operator hands the code to the right person, so nobody else gets the account any more.
      const data = { passwordHash: RESET, ...code, claimable: false };
      return toPerson(await tx.user.update({ where: { id }, data }));
    },

    /** Returns the person who may choose a password with the code. */
    async findByResetCode(codeHash: string, now: Date, tx: PrismaTransaction = prisma): Promise<Known | null> {
      const where = { resetCodeHash: toBytes(codeHash), resetExpiresAt: { gt: now } };
      return toKnown(await tx.user.findFirst({ where }));
    },
  };
}
