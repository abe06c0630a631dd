import { instant, reader, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { toBytes } from '../rows.ts';
import type { StoredPasskey } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

export const passkeyView = z.object({
  id: uuid(),
  name: text(200),
  createdAt: instant(),
  lastUsedAt: instant().nullable(),
});
export const viewPasskey = reader(passkeyView);

/** The relations of a person that tell whether they have a second factor. */
export const factorsOf = {
  authenticatorApp: { select: { userId: true } },
  passkeys: { select: { id: true }, take: 1 },
} as const;

export const hasFactor = (of: { authenticatorApp: object | null; passkeys: readonly object[] }): boolean =>
  of.authenticatorApp !== null || of.passkeys.length > 0;

export type Factors = NonNullable<Awaited<ReturnType<ReturnType<typeof secondFactorRepository>['find']>>>;

export function secondFactorRepository({ prisma }: Database) {
  return {
    /** Null: there is no such person. */
    async find(userId: string, tx: PrismaTransaction = prisma) {
      const found = await tx.user.findUnique({
        where: { id: userId },
        select: {
          authenticatorApp: true,
          passkeys: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
          _count: { select: { recoveryCodes: true } },
        },
      });
      return found && { ...found, recoveryCodes: found._count.recoveryCodes };
    },

    async findPasskey(credential: string): Promise<StoredPasskey | null> {
      return prisma.passkey.findUnique({ where: { credential: toBytes(credential) } });
    },

    async hasRecoveryCode(userId: string, hash: string): Promise<boolean> {
      return (await prisma.recoveryCode.count({ where: { userId, hash: toBytes(hash) } })) > 0;
    },

    /** Returns false when this code or a later one was used before. */
    async useTotp(tx: PrismaTransaction, userId: string, step: number, now: Date): Promise<boolean> {
      const where = { userId, lastStep: { lt: step } };
      return (await tx.authenticatorApp.updateMany({ where, data: { lastStep: step, lastUsedAt: now } })).count === 1;
    },

    /** Returns false when the code was used before. */
    async useRecoveryCode(tx: PrismaTransaction, userId: string, hash: string): Promise<boolean> {
      return (await tx.recoveryCode.deleteMany({ where: { userId, hash: toBytes(hash) } })).count === 1;
    },

    /** Returns false when the passkey was removed meanwhile. */
    async usePasskey(tx: PrismaTransaction, id: string, counter: bigint, now: Date): Promise<boolean> {
      return (await tx.passkey.updateMany({ where: { id }, data: { counter, lastUsedAt: now } })).count === 1;
    },

    /** Makes new codes. The earlier ones end. */
    async renewRecoveryCodes(tx: PrismaTransaction, userId: string): Promise<string[]> {
      const codes = newRecoveryCodes();
      await tx.recoveryCode.deleteMany({ where: { userId } });
      const data = codes.map((code) => ({ userId, hash: toBytes(recoveryCodeHash(code)) }));
      await tx.recoveryCode.createMany({ data });
      return codes;
    },

    /** Removes all passkeys, and the recovery codes of a person who then has no second factor. */
    async removePasskeys(tx: PrismaTransaction, userId: string): Promise<void> {
      await tx.passkey.deleteMany({ where: { userId } });
      if ((await tx.authenticatorApp.count({ where: { userId } })) === 0)
        await tx.recoveryCode.deleteMany({ where: { userId } });
    },

    /** Removes everything. */
    async removeAll(tx: PrismaTransaction, userId: string): Promise<void> {
      await tx.authenticatorApp.deleteMany({ where: { userId } });
      await tx.passkey.deleteMany({ where: { userId } });
      await tx.recoveryCode.deleteMany({ where: { userId } });
    },
  };
}
