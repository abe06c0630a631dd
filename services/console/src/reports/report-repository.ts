// Reports of an app, and when each is due.
import { type App, instant, reader, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction, Report as Row } from '@landfall/db';
import { z } from 'zod';
import { nextDue, periods, type Schedule } from './schedule.ts';

export const reportView = z.object({
  id: uuid(),
  name: text(100),
  every: z.enum(periods),
  day: z.int().describe('Of `week`: 1 (Monday) to 7. Of `month`: the day of the month. Of `day` it means nothing.'),
  hour: z.int().describe("The hour of the day in the app's time zone."),
  channelIds: z.array(uuid()),
  paused: z.boolean(),
  nextAt: instant().describe('When it is sent next, if it is not paused.'),
  createdAt: instant(),
});
export type ReportView = z.output<typeof reportView>;

/** A report that is due, taken by this process. */
export interface TakenReport extends Schedule {
  id: string;
  appId: string;
  name: string;
  channelIds: string[];
  nextAt: Date;
}

const toReport = reader(reportView);
const scheduleOf = ({ every, day, hour }: Row): Schedule => ({ every: every as Schedule['every'], day, hour });

/** Seconds for which a taken report belongs to its process. Longer than its questions to analytics take. */
const LEASE_SECONDS = 180;

const TAKE = `
  update account.reports set taken_until = $1::timestamptz + interval '${LEASE_SECONDS} s'
  where id in (
    select r.id from account.reports r join account.apps a on a.id = r.app_id
    where r.next_at <= $1::timestamptz and r.taken_until <= $1::timestamptz and not r.paused and a.archived_at is null
    order by r.next_at, r.id limit $2 for update of r skip locked
  )
  returning id, app_id as "appId", name, every, day, hour, channel_ids as "channelIds", next_at as "nextAt"`;

export function reportRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Lists the reports of an app, oldest first. */
    list: async (appId: string): Promise<ReportView[]> =>
      (await prisma.report.findMany({ where: { appId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })).map(
        toReport,
      ),

    count: (tx: PrismaTransaction, appId: string): Promise<number> => tx.report.count({ where: { appId } }),

    async find(appId: string, id: string, tx: PrismaTransaction = prisma): Promise<ReportView | null> {
      const row = await tx.report.findFirst({ where: { id, appId } });
      return row && toReport(row);
    },

    insert: async (
      tx: PrismaTransaction,
      { now, nextAt, ...report }: Omit<ReportView, 'createdAt' | 'nextAt'> & { appId: string; nextAt: Date; now: Date },
    ): Promise<ReportView> =>
      toReport(await tx.report.create({ data: { ...report, nextAt, takenUntil: now, createdAt: now } })),

    change: async (
      tx: PrismaTransaction,
      id: string,
      change: Omit<ReportView, 'id' | 'createdAt' | 'nextAt'> & { nextAt: Date },
    ): Promise<ReportView> => toReport(await tx.report.update({ where: { id }, data: change })),

    async remove(tx: PrismaTransaction, id: string): Promise<void> {
      await tx.report.delete({ where: { id } });
    },

    /** Computes all times anew, for an app whose time zone changes. */
    async reschedule(tx: PrismaTransaction, { id: appId, timeZone }: Pick<App, 'id' | 'timeZone'>, now: Date) {
      for (const row of await tx.report.findMany({ where: { appId } })) {
        const { at: nextAt } = nextDue(scheduleOf(row), timeZone, now);
        await tx.report.update({ where: { id: row.id }, data: { nextAt } });
      }
    },

    /** Takes reports that are due. Nobody else takes them within three minutes. */
    take: (now: Date, limit: number): Promise<TakenReport[]> => database.rows<TakenReport>(TAKE, [now, limit]),

    /** Gives a report back until a later time. */
    async putOff({ id }: Pick<TakenReport, 'id'>, until: Date): Promise<void> {
      await prisma.report.updateMany({ where: { id }, data: { takenUntil: until } });
    },

    /** The report is made. One that somebody has changed meanwhile keeps its new time. */
    async made(tx: PrismaTransaction, { id, nextAt: before }: TakenReport, nextAt: Date, now: Date): Promise<void> {
      await tx.report.updateMany({ where: { id, nextAt: before }, data: { nextAt, takenUntil: now } });
    },
  };
}
