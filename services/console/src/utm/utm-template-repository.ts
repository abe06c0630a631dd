// Templates of campaign values, by app.
import { instant, reader, text, UTM_LENGTH, utmNames, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';

/** Only the values that the template sets. */
export const TemplateValues = z.partialRecord(z.enum(utmNames), z.string().min(1).max(UTM_LENGTH));
export type TemplateValues = z.output<typeof TemplateValues>;

export const UtmTemplate = z.object({
  id: uuid(),
  appId: uuid(),
  name: text(100),
  utm: TemplateValues,
  createdAt: instant(),
});
export type UtmTemplate = z.output<typeof UtmTemplate>;

const toTemplate = reader(UtmTemplate);

export function utmTemplateRepository({ prisma }: Database) {
  return {
    /** Lists the templates of an app by name. */
    list: async (appId: string): Promise<UtmTemplate[]> =>
      (await prisma.utmTemplate.findMany({ where: { appId }, orderBy: [{ name: 'asc' }, { id: 'asc' }] })).map(
        toTemplate,
      ),

    count: (tx: PrismaTransaction, appId: string): Promise<number> => tx.utmTemplate.count({ where: { appId } }),

    async find(tx: PrismaTransaction, appId: string, id: string): Promise<UtmTemplate | null> {
      const row = await tx.utmTemplate.findFirst({ where: { id, appId } });
      return row && toTemplate(row);
    },

    async insert(
      tx: PrismaTransaction,
      { now, ...template }: Omit<UtmTemplate, 'createdAt'> & { now: Date },
    ): Promise<UtmTemplate> {
      return toTemplate(await tx.utmTemplate.create({ data: { ...template, createdAt: now } }));
    },

    async change(
      tx: PrismaTransaction,
      id: string,
      change: Partial<Pick<UtmTemplate, 'name' | 'utm'>>,
    ): Promise<UtmTemplate> {
      return toTemplate(await tx.utmTemplate.update({ where: { id }, data: change }));
    },

    async remove(tx: PrismaTransaction, id: string): Promise<void> {
      await tx.utmTemplate.delete({ where: { id } });
    },
  };
}
