// The set-up of an instance without an owner, and the codes for it.
import type { Database, PrismaTransaction } from '@landfall/db';
import { toBytes } from '../rows.ts';

export function setUpRepository({ prisma }: Pick<Database, 'prisma'>) {
  return {
    async hasOwner(tx: PrismaTransaction = prisma): Promise<boolean> {
      return (await tx.user.findFirst({ where: { instanceOwner: true }, select: { id: true } })) !== null;
    },

    /** Codes that were offered before stop working. An offer that is stored after a later one changes nothing. */
    async offerCode(codeHash: string, now: Date): Promise<void> {
      const hash = toBytes(codeHash);
      await prisma.$transaction(async (tx) => {
        await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('set-up codes', 0))`;
        if (await tx.setUpCode.findFirst({ where: { createdAt: { gt: now } } })) return;
        await tx.setUpCode.deleteMany({ where: { createdAt: { lt: now }, NOT: { hash } } });
        await tx.setUpCode.createMany({ data: { hash, createdAt: now }, skipDuplicates: true });
      });
    },

    async isOffered(codeHash: string): Promise<boolean> {
      return (await prisma.setUpCode.findUnique({ where: { hash: toBytes(codeHash) } })) !== null;
    },
  };
}
