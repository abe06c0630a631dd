// People: who manages apps.
import type { Person } from '@landfall/contracts';
import type { Database, PrismaTransaction, User } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { toBytes } from '../bytes.ts';

/** Somebody with the hash of their password, which leaves this service in no form. */
export interface Known {
  readonly person: Person;
  readonly passwordHash: string | null;
}

export type PersonRepository = ReturnType<typeof personRepository>;

/** The label by which people recognise each other. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Stored for the password of somebody who has yet to choose another: nobody knows it, and yet there is one. */
const RESET = '';

/** Locks out whoever else would make the first owner. */
const FIRST_OWNER_LOCK = 72_707_370;

export function personRepository({ prisma }: Database, sealer: Sealer) {
  /** As others see them: the email sealed. */
  const toPerson = (row: User): Person => ({
    id: row.id,
    email: sealer.seal('email', row.email),
    name: row.name,
    instanceOwner: row.instanceOwner,
    hasPassword: row.passwordHash !== null,
    createdAt: row.createdAt.toISOString(),
  });
  const toKnown = (row: User | null): Known | null =>
    row && { person: toPerson(row), passwordHash: row.passwordHash === RESET ? null : row.passwordHash };
  /** As it is stored. */
  const open = (email: string) => normalEmail(sealer.open('email', email));

  return {
    /** @param email sealed */
    async findByEmail(email: string, tx: PrismaTransaction = prisma): Promise<Known | null> {
      return toKnown(await tx.user.findUnique({ where: { email: open(email) } }));
    },

    async find(id: string, tx: PrismaTransaction = prisma): Promise<Known | null> {
      return toKnown(await tx.user.findUnique({ where: { id } }));
    },

    /** Waits for whoever changes the person. */
    async lock(tx: PrismaTransaction, id: string): Promise<Known | null> {
      await tx.$queryRaw`select 1 from account.users where id = ${id}::uuid for update`;
      return toKnown(await tx.user.findUnique({ where: { id } }));
    },

    async hasOwner(tx: PrismaTransaction = prisma): Promise<boolean> {
      return (await tx.user.findFirst({ where: { instanceOwner: true }, select: { id: true } })) !== null;
    },

    /** Until the end of the transaction nobody else makes a first owner. */
    async lockFirstOwner(tx: PrismaTransaction): Promise<void> {
      await tx.$executeRaw`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`;
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
        now: Date;
      },
    ): Promise<Person> {
      const { now, email, ...rest } = person;
      return toPerson(await tx.user.create({ data: { ...rest, email: open(email), createdAt: now } }));
    },

    async rename(tx: PrismaTransaction, id: string, name: string): Promise<Person> {
      return toPerson(await tx.user.update({ where: { id }, data: { name } }));
    },

    /** Latest first, after the row that the cursor names. */
    async list(limit: number, after: { at: Date; id: string } | null): Promise<Person[]> {
      const rows = await prisma.user.findMany({
        where: after ? { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] } : {},
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map(toPerson);
    },

    /** A code that lets them choose one is good no more. */
    async setPassword(tx: PrismaTransaction, id: string, passwordHash: string): Promise<Person> {
      const data = { passwordHash, resetCodeHash: null, resetExpiresAt: null };
      return toPerson(await tx.user.update({ where: { id }, data }));
    },

    /**
     * Takes their password, and lets whoever has the code choose another; the code before it is good no more. They have one all the
     * same, or whoever is given their email could come in through a provider meanwhile.
     */
    async resetPassword(
      tx: PrismaTransaction,
      id: string,
      reset: { codeHash: string; expiresAt: Date },
    ): Promise<Person> {
      const data = { passwordHash: RESET, resetCodeHash: toBytes(reset.codeHash), resetExpiresAt: reset.expiresAt };
      return toPerson(await tx.user.update({ where: { id }, data }));
    },

    /** The person who may choose a password with a code. */
    async findByResetCode(codeHash: string, now: Date, tx: PrismaTransaction = prisma): Promise<Known | null> {
      const where = { resetCodeHash: toBytes(codeHash), resetExpiresAt: { gt: now } };
      return toKnown(await tx.user.findFirst({ where }));
    },
  };
}
