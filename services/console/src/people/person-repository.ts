import { instant, text, uuid } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction, User } from '@landfall/db';
import { z } from 'zod';
import { createdBefore, latestFirst, type Place, toBytes } from '../rows.ts';

export const Person = z.object({
  id: uuid(),
  email: z.string(),
  name: text(200),
  /** True when the person may set plans and see every team. */
  instanceOwner: z.boolean(),
  /** False when the person can sign in only through the OpenID Connect provider. */
  hasPassword: z.boolean(),
  /** True when a sign-in provider or a reset has confirmed that the person owns the email. */
  emailVerified: z.boolean().default(false),
  createdAt: instant(),
});
export type Person = z.output<typeof Person>;

/** A person with their password hash. The hash never leaves this service. */
export interface Known {
  readonly person: Person;
  readonly passwordHash: string | null;
  /** Whoever owns the email may take the account over, because nobody has confirmed that its person does. */
  readonly claimable: boolean;
}

/** Returns an email in the form in which emails are stored and compared. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Stored after a reset until the next password. No password matches it, but the person still counts as having one. */
const RESET = '';

const toPerson = (row: User): Person => ({
  id: row.id,
  email: row.email,
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

export function personRepository({ prisma }: Database) {
  const change = async (tx: PrismaTransaction, id: string, data: Prisma.UserUpdateInput) =>
    toPerson(await tx.user.update({ where: { id }, data }));

  return {
    change,

    /** Returns the current names of people, by their ids. */
    async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const users = await prisma.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
      return new Map(users.map(({ id, name }) => [id, name]));
    },

    async findByEmail(email: string, tx: PrismaTransaction = prisma): Promise<Known | null> {
      return toKnown(await tx.user.findUnique({ where: { email: normalEmail(email) } }));
    },

    async find(id: string, tx: PrismaTransaction = prisma): Promise<Known | null> {
      return toKnown(await tx.user.findUnique({ where: { id } }));
    },

    async lock(tx: PrismaTransaction, id: string): Promise<Known | null> {
      await tx.$queryRaw`select 1 from account.users where id = ${id}::uuid for update`;
      return toKnown(await tx.user.findUnique({ where: { id } }));
    },

    /** Prevents other transactions from making a person with the email until this one ends. */
    async lockEmail(tx: PrismaTransaction, email: string): Promise<void> {
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`email ${normalEmail(email)}`}, 0))`;
    },

    /** @param person.emailConfirmedAt null: no provider has confirmed the email */
    async insert(tx: PrismaTransaction, { email, ...person }: Omit<User, 'resetCodeHash' | 'resetExpiresAt'>) {
      return toPerson(await tx.user.create({ data: { ...person, email: normalEmail(email) } }));
    },

    /** Stores that the person owns the email. Nobody can take the account over any more. */
    async confirm(tx: PrismaTransaction, id: string, now: Date): Promise<Person> {
      await tx.user.updateMany({ where: { id, emailConfirmedAt: null }, data: { emailConfirmedAt: now } });
      return change(tx, id, { claimable: false });
    },

    /** Removes what others know of the account: its password and its reset code. Renames it for its owner. */
    async handOver(tx: PrismaTransaction, id: string, name: string): Promise<void> {
      await change(tx, id, { name, passwordHash: null, ...NO_CODE });
    },

    async list(limit: number, after: Place | null): Promise<Person[]> {
      const where = createdBefore(after);
      return (await prisma.user.findMany({ where, orderBy: latestFirst(), take: limit })).map(toPerson);
    },

    async setPassword(tx: PrismaTransaction, id: string, passwordHash: string): Promise<Person> {
      return change(tx, id, { passwordHash, ...NO_CODE });
    },

    /** The person still counts as having one: else a new owner of their email could sign in through a provider. */
    async resetPassword(tx: PrismaTransaction, id: string, codeHash: string, expiresAt: Date): Promise<Person> {
      const code = { resetCodeHash: toBytes(codeHash), resetExpiresAt: expiresAt };
      // The operator hands the code to the right person, so nobody else gets the account any more.
      return change(tx, id, { passwordHash: RESET, ...code, claimable: false });
    },

    async findByResetCode(codeHash: string, now: Date, tx: PrismaTransaction = prisma): Promise<Known | null> {
      const where = { resetCodeHash: toBytes(codeHash), resetExpiresAt: { gt: now } };
      return toKnown(await tx.user.findFirst({ where }));
    },
  };
}

const NO_CODE = { resetCodeHash: null, resetExpiresAt: null };
