// The places to which reports and alerts of an app go.
import { instant, reader, text, uuid } from '@landfall/contracts';
import type { Channel as ChannelRow, Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { toBytes } from '../rows.ts';

export const channelKinds = ['email', 'slack', 'teams', 'webhook'] as const;
export const ChannelKind = z.enum(channelKinds);
export type ChannelKind = z.output<typeof ChannelKind>;

export const channelView = z.object({
  id: uuid(),
  kind: ChannelKind,
  name: text(100),
  hint: text(400).describe('A part of the target, for people who must tell channels apart.'),
  userId: uuid().nullable().describe('The member of the team who gets it by email.'),
  state: z
    .enum(['ready', 'unconfirmed', 'unsubscribed'])
    .describe(
      '`unconfirmed`: nobody has confirmed the address yet. `unsubscribed`: its owner wants nothing any more. Both get nothing.',
    ),
  failingSince: instant()
    .nullable()
    .describe(
      'Since when nothing arrives: each attempt has failed since then. Null: the last message arrived, or there was none.',
    ),
  createdAt: instant(),
});
export type ChannelView = z.output<typeof channelView>;

/** What sending needs. `target` and `secret` are sealed. */
export interface Channel extends ChannelView {
  appId: string;
  target: string | null;
  secret: string | null;
}

const read = reader(channelView.omit({ state: true }));
const toChannel = (row: ChannelRow): Channel => {
  const state = row.unsubscribedAt ? 'unsubscribed' : row.verifiedAt ? 'ready' : 'unconfirmed';
  return { ...read(row), state, appId: row.appId, target: row.target, secret: row.secret };
};

export const viewOfChannel = ({ appId: _, target: __, secret: ___, ...view }: Channel): ChannelView => view;

export interface NewChannel {
  id: string;
  appId: string;
  kind: ChannelKind;
  name: string;
  userId: string | null;
  target: string | null;
  hint: string;
  secret: string | null;
  verifiedAt: Date | null;
  createdAt: Date;
}

export function channelRepository({ prisma }: Database) {
  return {
    /** Lists the channels of an app, oldest first. */
    list: async (appId: string): Promise<Channel[]> =>
      (await prisma.channel.findMany({ where: { appId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })).map(
        toChannel,
      ),

    async find(appId: string, id: string, tx: PrismaTransaction = prisma): Promise<Channel | null> {
      const row = await tx.channel.findFirst({ where: { id, appId } });
      return row && toChannel(row);
    },

    count: (tx: PrismaTransaction, appId: string): Promise<number> => tx.channel.count({ where: { appId } }),

    /** Returns those of the ids that are no channels of the app. */
    async unknown(tx: PrismaTransaction, appId: string, ids: readonly string[]): Promise<string[]> {
      const rows = await tx.channel.findMany({ where: { appId, id: { in: [...ids] } }, select: { id: true } });
      const known = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !known.has(id));
    },

    insert: async (tx: PrismaTransaction, channel: NewChannel): Promise<Channel> =>
      toChannel(await tx.channel.create({ data: channel })),

    rename: async (tx: PrismaTransaction, id: string, name: string): Promise<Channel> =>
      toChannel(await tx.channel.update({ where: { id }, data: { name } })),

    renewSecret: async (tx: PrismaTransaction, id: string, secret: string): Promise<Channel> =>
      toChannel(await tx.channel.update({ where: { id }, data: { secret } })),

    /** Reports and alerts lose it. */
    async remove(tx: PrismaTransaction, { id, appId }: Pick<Channel, 'id' | 'appId'>): Promise<void> {
      for (const table of ['reports', 'alerts'])
        await tx.$executeRawUnsafe(
          `update account.${table} set channel_ids = array_remove(channel_ids, $1::uuid) where app_id = $2::uuid`,
          id,
          appId,
        );
      await tx.channel.delete({ where: { id } });
    },

    /** An earlier code of the channel ends. */
    async offerCode(tx: PrismaTransaction, id: string, codeHash: string, codeExpiresAt: Date): Promise<void> {
      await tx.channel.update({ where: { id }, data: { codeHash: toBytes(codeHash), codeExpiresAt } });
    },

    /** The code of a channel confirms it, and is used up. Null: there is no such code, or it has ended. */
    async confirm(tx: PrismaTransaction, codeHash: string, now: Date): Promise<Channel | null> {
      const [found] = await tx.$queryRaw<{ id: string }[]>`
        update account.channels set verified_at = ${now}, unsubscribed_at = null, code_hash = null, code_expires_at = null
        where code_hash = ${toBytes(codeHash)} and code_expires_at > ${now} returning id`;
      const row = found && (await tx.channel.findUnique({ where: { id: found.id } }));
      return row ? toChannel(row) : null;
    },

    /** Null: there is no such channel any more, or its owner had ended it before. */
    async unsubscribe(tx: PrismaTransaction, id: string, now: Date): Promise<Channel | null> {
      const { count } = await tx.channel.updateMany({
        where: { id, unsubscribedAt: null },
        data: { unsubscribedAt: now, verifiedAt: null, codeHash: null, codeExpiresAt: null },
      });
      const row = count > 0 ? await tx.channel.findUnique({ where: { id } }) : null;
      return row && toChannel(row);
    },

    /** Stores whether messages arrive. A channel that fails keeps the time when it began. */
    async arrived(id: string, failedAt: Date | null): Promise<void> {
      await prisma.channel.updateMany({
        where: { id, failingSince: failedAt === null ? { not: null } : null },
        data: { failingSince: failedAt },
      });
    },

    /** Returns the email of a member. Null: the person is not in the team of the app any more. */
    async memberEmail(appId: string, userId: string, tx: PrismaTransaction = prisma): Promise<string | null> {
      const [row] = await tx.$queryRaw<{ email: string }[]>`
        select u.email from account.apps a
        join account.members m on m.team_id = a.team_id and m.user_id = ${userId}::uuid
        join account.users u on u.id = m.user_id where a.id = ${appId}::uuid`;
      return row?.email ?? null;
    },
  };
}
