// Saved views: what a page shows, by a name. Each is a person's own, or of all who see the app.
import { instant, reader, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';

export const viewPages = ['analytics', 'links', 'restores'] as const;
export const MOST_OF_QUERY = 4_000;

export const View = z.object({
  id: uuid(),
  appId: uuid(),
  /** Null: it is of the team. */
  owner: uuid().nullable(),
  name: text(100),
  page: z.enum(viewPages),
  /** The search of the page's address. The page itself reads it, and leaves out what it does not know. */
  query: text(MOST_OF_QUERY),
  createdAt: instant(),
});
export type View = z.output<typeof View>;

const toView = reader(View);

export function viewRepository({ prisma }: Database) {
  return {
    /** Lists the views of a person and of the team, by name. */
    list: async (appId: string, owner: string | null): Promise<View[]> =>
      (
        await prisma.view.findMany({
          where: { appId, OR: [{ owner: null }, ...(owner === null ? [] : [{ owner }])] },
          orderBy: [{ name: 'asc' }, { id: 'asc' }],
        })
      ).map(toView),

    count: (tx: PrismaTransaction, appId: string, owner: string | null): Promise<number> =>
      tx.view.count({ where: { appId, owner } }),

    async find(tx: PrismaTransaction, appId: string, id: string): Promise<View | null> {
      const row = await tx.view.findFirst({ where: { id, appId } });
      return row && toView(row);
    },

    insert: async (
      tx: PrismaTransaction,
      { now, ...view }: Omit<View, 'createdAt'> & { createdBy: string | null; now: Date },
    ): Promise<View> => toView(await tx.view.create({ data: { ...view, createdAt: now } })),

    change: async (tx: PrismaTransaction, id: string, change: Partial<Pick<View, 'name' | 'query'>>): Promise<View> =>
      toView(await tx.view.update({ where: { id }, data: change })),

    async remove(tx: PrismaTransaction, id: string): Promise<void> {
      await tx.view.delete({ where: { id } });
    },
  };
}
