// Alerts of an app, their state, and when each is checked.
import { instant, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction, Alert as Row } from '@landfall/db';
import { z } from 'zod';
import { type AlertRule, alertRules, type Standing, type UnknownReason, unknownReasons } from './rules.ts';
import { hoursOf, windowOf, windows } from './windows.ts';

export const alertMetrics = ['clicks', 'attributedInstalls', 'installs', 'restores'] as const;
export type AlertMetric = (typeof alertMetrics)[number];

export const AlertFilter = z.object({
  dimension: z.enum(['utmCampaign', 'link']),
  value: text(400).min(1).describe('A campaign, or the id of a link.'),
});
export type AlertFilter = z.output<typeof AlertFilter>;

export const alertView = z.object({
  id: uuid(),
  name: text(100),
  metric: z.enum(alertMetrics),
  filter: AlertFilter.nullable(),
  rule: z.enum(alertRules),
  bound: z.number().nullable(),
  window: z.enum(windows),
  channelIds: z.array(uuid()),
  paused: z.boolean(),
  state: z.enum(['ok', 'firing', 'unknown', 'snoozed']),
  since: instant().describe('Since when it is in this state.'),
  reason: z
    .enum(unknownReasons)
    .nullable()
    .describe(
      'Why the state is unknown. `NEW`: under two weeks are counted. `FEW`: fewer than 20 are expected. `BEHIND`: the last events are not counted yet.',
    ),
  figure: z.number().nullable().describe('The figure of the last check.'),
  expected: z.number().nullable().describe('The median of the same time of up to four weeks before.'),
  checkedAt: instant().nullable(),
  snoozedUntil: instant().nullable(),
  createdAt: instant(),
});
export type AlertView = z.output<typeof alertView>;

/** What people set. */
export type AlertSettings = Pick<
  AlertView,
  'name' | 'metric' | 'filter' | 'rule' | 'bound' | 'window' | 'channelIds' | 'paused'
>;

/** An alert that is due, taken by this process. */
export interface TakenAlert extends Standing {
  id: string;
  appId: string;
  name: string;
  metric: AlertMetric;
  filter: AlertFilter | null;
  rule: AlertRule;
  bound: number | null;
  hours: number;
  channelIds: string[];
  since: Date;
  snoozedUntil: Date | null;
  nextAt: Date;
}

/** What a check found. */
export interface Checked extends Standing {
  reason: UnknownReason | null;
  since: Date;
  figure: number | null;
  expected: number | null;
}

const filterOf = ({ dimension, value }: Pick<Row, 'dimension' | 'value'>): AlertFilter | null =>
  dimension === null || value === null ? null : AlertFilter.parse({ dimension, value });

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

function toView(row: Row, now: Date): AlertView {
  const isSnoozed = row.snoozedUntil !== null && row.snoozedUntil > now;
  return alertView.parse({
    ...row,
    filter: filterOf(row),
    window: windowOf(row.hours),
    state: isSnoozed ? 'snoozed' : row.state,
    since: time(row.since),
    checkedAt: time(row.checkedAt),
    snoozedUntil: isSnoozed ? time(row.snoozedUntil) : null,
    createdAt: time(row.createdAt),
  });
}

const columnsOf = ({ filter, window, ...settings }: AlertSettings) => ({
  ...settings,
  dimension: filter?.dimension ?? null,
  value: filter?.value ?? null,
  hours: hoursOf(window),
});

/** What a rule starts with. */
const begun = (now: Date) => ({
  state: 'unknown',
  since: now,
  reason: null,
  streak: 0,
  told: 'ok',
  figure: null,
  expected: null,
  checkedAt: null,
  nextAt: now,
});

/** Seconds from one check to the next. A taken alert is due again then, also when its check failed. */
const AGAIN_SECONDS = 600;

const TAKE = `
  update account.alerts set next_at = $1::timestamptz + interval '${AGAIN_SECONDS} s'
  where id in (
    select l.id from account.alerts l join account.apps a on a.id = l.app_id
    where l.next_at <= $1::timestamptz and not l.paused and a.archived_at is null
    order by l.next_at, l.id limit $2 for update of l skip locked
  )
  returning id, app_id as "appId", name, metric, dimension, value, rule, bound, hours, channel_ids as "channelIds",
    state, streak, told, since, snoozed_until as "snoozedUntil", next_at as "nextAt"`;

type Found = Omit<TakenAlert, 'filter'> & Pick<Row, 'dimension' | 'value'>;

export function alertRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Lists the alerts of an app, oldest first. */
    list: async (appId: string, now: Date): Promise<AlertView[]> =>
      (await prisma.alert.findMany({ where: { appId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })).map((row) =>
        toView(row, now),
      ),

    count: (tx: PrismaTransaction, appId: string): Promise<number> => tx.alert.count({ where: { appId } }),

    async find(tx: PrismaTransaction, appId: string, id: string, now: Date): Promise<AlertView | null> {
      const row = await tx.alert.findFirst({ where: { id, appId } });
      return row && toView(row, now);
    },

    insert: async (
      tx: PrismaTransaction,
      { id, appId, now, ...settings }: AlertSettings & { id: string; appId: string; now: Date },
    ): Promise<AlertView> =>
      toView(
        await tx.alert.create({ data: { id, appId, ...columnsOf(settings), ...begun(now), createdAt: now } }),
        now,
      ),

    /** @param anew true: another thing is asked, and the state begins again */
    change: async (
      tx: PrismaTransaction,
      id: string,
      settings: AlertSettings,
      { anew, now }: { anew: boolean; now: Date },
    ): Promise<AlertView> =>
      toView(await tx.alert.update({ where: { id }, data: { ...columnsOf(settings), ...(anew && begun(now)) } }), now),

    snooze: async (tx: PrismaTransaction, id: string, until: Date | null, now: Date): Promise<AlertView> =>
      toView(await tx.alert.update({ where: { id }, data: { snoozedUntil: until } }), now),

    async remove(tx: PrismaTransaction, id: string): Promise<void> {
      await tx.alert.delete({ where: { id } });
    },

    /** Takes alerts that are due. Nobody else takes them within ten minutes. */
    async take(now: Date, limit: number): Promise<TakenAlert[]> {
      const rows = await database.rows<Found>(TAKE, [now, limit]);
      return rows.map(({ dimension, value, ...row }) => ({ ...row, filter: filterOf({ dimension, value }) }));
    },

    /** Gives an alert back until a later time. */
    async putOff({ id, nextAt: taken }: TakenAlert, nextAt: Date): Promise<void> {
      await prisma.alert.updateMany({ where: { id, nextAt: taken }, data: { nextAt } });
    },

    /**
     * Stores a check. False: somebody has changed the alert meanwhile, and the check is of no use.
     * @param tx null: nothing else changes with it
     */
    async checked(
      tx: PrismaTransaction | null,
      { id, nextAt }: TakenAlert,
      found: Checked,
      now: Date,
    ): Promise<boolean> {
      const { count } = await (tx ?? prisma).alert.updateMany({
        where: { id, nextAt },
        data: { ...found, checkedAt: now },
      });
      return count > 0;
    },
  };
}
