// Messages to channels, and what became of them.
import { instant, reader, text, uuid } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction, ChannelMessage as Row } from '@landfall/db';
import { z } from 'zod';
import { ChannelKind } from './channel-repository.ts';
import { type Fault, faults, sentenceOf } from './faults.ts';
import type { Message } from './message.ts';

export const messageView = z.object({
  id: uuid().describe('An email has it as its Message-ID, a webhook as its `webhook-id`.'),
  kind: z.enum(['report', 'alert', 'test', 'confirmation']),
  title: text(300),
  channelId: uuid().nullable().describe('Null: the channel was removed.'),
  via: ChannelKind,
  sourceId: uuid().nullable().describe('The report or the alert.'),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.int(),
  nextAt: instant().nullable().describe('The time of the next attempt.'),
  fault: z.enum(faults).nullable().describe('Why the last attempt failed. `ANSWER`: the status of the answer says it.'),
  why: z.string().nullable().describe('The same as a sentence.'),
  status: z.int().nullable().describe('The status of the answer to the last attempt.'),
  createdAt: instant(),
  endedAt: instant().nullable(),
});
export type MessageView = z.output<typeof messageView>;

export const lastSent = z
  .object({
    at: instant(),
    sent: z.int().describe('Messages that arrived.'),
    waiting: z.int().describe('Messages that are tried again.'),
    failed: z.int().describe('Messages that are not tried again.'),
  })
  .describe('The latest messages, one for each channel. Null: there was none in 90 days.');
export type LastSent = z.output<typeof lastSent>;

/** A message that is due, taken by this process. */
export interface Taken {
  id: string;
  appId: string;
  channelId: string | null;
  attempts: number;
  message: Message;
}

export interface NewMessage extends Pick<MessageView, 'id' | 'kind' | 'channelId' | 'via' | 'sourceId'> {
  appId: string;
  /** Null for a confirmation, whose code nobody may read. */
  message: Message | null;
  createdAt: Date;
}

const read = reader(messageView.omit({ title: true, nextAt: true, why: true }));
const toView = (row: Row): MessageView => ({
  ...read(row),
  title: titleOf(row.body),
  why: row.fault === null ? null : sentenceOf(row.fault as Fault, row.status),
  nextAt: row.state === 'waiting' ? row.nextAt.toISOString() : null,
});
const titleOf = (body: Prisma.JsonValue): string => (body as { title?: string }).title ?? '';

/** Seconds for which a taken message belongs to its process. Longer than sending takes. */
const LEASE_SECONDS = 60;

const TAKE = `
  update account.channel_messages set attempts = attempts + 1, next_at = $1::timestamptz + interval '${LEASE_SECONDS} s'
  where id in (
    select id from account.channel_messages where state = 'waiting' and next_at <= $1::timestamptz
    order by next_at, id limit $2 for update skip locked
  )
  returning id, app_id as "appId", channel_id as "channelId", attempts, body as message`;

const LAST = `
  select m.source_id as "sourceId", m.created_at as at, count(*) filter (where m.state = 'sent')::int as sent,
    count(*) filter (where m.state = 'waiting')::int as waiting, count(*) filter (where m.state = 'failed')::int as failed
  from account.channel_messages m
  where m.source_id = any($1::uuid[])
    and m.created_at = (select max(l.created_at) from account.channel_messages l where l.source_id = m.source_id)
  group by m.source_id, m.created_at`;

export function messageRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Lists the latest messages of an app. */
    list: async (appId: string, limit: number): Promise<MessageView[]> =>
      (
        await prisma.channelMessage.findMany({
          where: { appId },
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
          take: limit,
        })
      ).map(toView),

    /** Returns what became of the latest messages of reports, by the id of the report. */
    async lastOf(sourceIds: readonly string[]): Promise<Map<string, LastSent>> {
      const rows = await database.rows<Omit<LastSent, 'at'> & { sourceId: string; at: Date }>(LAST, [sourceIds]);
      return new Map(rows.map(({ sourceId, at, ...counts }) => [sourceId, { at: at.toISOString(), ...counts }]));
    },

    /** Adds messages that are due at once. One that exists already stays as it is. */
    async add(tx: PrismaTransaction, messages: readonly NewMessage[]): Promise<void> {
      await tx.channelMessage.createMany({
        skipDuplicates: true,
        data: messages.map(({ message, ...row }) => ({
          ...row,
          body: (message ?? {}) as unknown as Prisma.InputJsonObject,
          state: 'waiting',
          nextAt: row.createdAt,
        })),
      });
    },

    /** Adds a message that is sent in the same moment: what became of it is stored at once. */
    async record(
      { message, createdAt, ...row }: NewMessage,
      outcome: { fault: Fault | null; status: number | null },
    ): Promise<void> {
      const state = outcome.fault === null ? 'sent' : 'failed';
      const body = (message ?? {}) as unknown as Prisma.InputJsonObject;
      await prisma.channelMessage.create({
        data: { ...row, ...outcome, body, state, attempts: 1, nextAt: createdAt, createdAt, endedAt: createdAt },
      });
    },

    /** Takes messages that are due. Nobody else takes them within the next minute. */
    take: (now: Date, limit: number): Promise<Taken[]> => database.rows<Taken>(TAKE, [now, limit]),

    async sent({ id }: Pick<Taken, 'id'>, now: Date): Promise<void> {
      await prisma.channelMessage.update({
        where: { id },
        data: { state: 'sent', endedAt: now, fault: null, status: null },
      });
    },

    /** @param nextAt the time of the next attempt. Null: there is none. */
    async failed(
      { id }: Pick<Taken, 'id'>,
      { fault, status }: { fault: Fault; status: number | null },
      nextAt: Date | null,
      now: Date,
    ): Promise<void> {
      const next = nextAt === null ? { state: 'failed', endedAt: now } : { nextAt };
      await prisma.channelMessage.updateMany({ where: { id, state: 'waiting' }, data: { fault, status, ...next } });
    },

    /** Counts the emails that the apps of the app's team have sent since a time. */
    async mailsOfTeam(appId: string, since: Date): Promise<number> {
      const [row] = await database.rows<{ n: number }>(
        `select count(*)::int as n from account.channel_messages m
         join account.apps a on a.id = m.app_id
         join account.apps asked on asked.id = $1::uuid and asked.team_id is not distinct from a.team_id
         where m.via = 'email' and m.created_at > $2::timestamptz and m.state = 'sent'`,
        [appId, since],
      );
      return row?.n ?? 0;
    },

    /** Counts the times since a time at which channels were told something by a report or an alert. */
    async toldSince(tx: PrismaTransaction, sourceId: string, since: Date): Promise<number> {
      const rows = await tx.channelMessage.findMany({
        where: { sourceId, createdAt: { gt: since } },
        distinct: ['createdAt'],
        select: { createdAt: true },
      });
      return rows.length;
    },
  };
}
