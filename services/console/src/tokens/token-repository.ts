// Tokens for the management API: the operator's tokens and people's tokens. A personal token has the rights of its person
// in one team, or fewer. An owner token may do everything.
import { randomUUID } from 'node:crypto';
import { instant, Role, reader, Scope, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction, Token as TokenRow } from '@landfall/db';
import { sha256 } from '@landfall/http';
import { z } from 'zod';
import type { Operator, PersonToken } from '../access/caller.ts';
import { lastUsed, latestFirst, toBytes, toHash } from '../rows.ts';

export const Token = z.object({
  id: uuid(),
  userId: uuid(),
  teamId: uuid(),
  scope: Scope,
  label: text(200),
  /** The first characters of the token. */
  hint: text(20),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  lastUsedAt: instant().nullable(),
  revokedAt: instant().nullable(),
});
export type Token = z.output<typeof Token>;

/** It belongs to the operator. */
export const OwnerToken = Token.omit({ userId: true, teamId: true, scope: true });
export type OwnerToken = z.output<typeof OwnerToken>;

const toToken = reader(Token);
const toOwnerToken = reader(OwnerToken);

type Wanted<T> = Omit<T, 'createdAt' | 'lastUsedAt' | 'revokedAt'> & { hash: string; now: Date };

export interface KnownToken {
  caller: PersonToken | Operator;
  expiresAt: string | null;
}

export function tokenRepository(database: Database) {
  const { prisma } = database;
  const live = (of: { userId: string | null } | { teamId: string }) =>
    prisma.token.findMany({ where: { ...of, revokedAt: null }, orderBy: latestFirst() });
  const insert = (tx: PrismaTransaction, { now, hash, ...rest }: Wanted<OwnerToken>) =>
    tx.token.create({ data: { ...rest, hash: toBytes(hash), createdAt: now } });

  return {
    /** Null: it is unknown or revoked, or its person has left the team. The caller must check its expiry. */
    async find(hash: string): Promise<KnownToken | null> {
      const [row] = await database.rows<TokenRow & { role: string | null }>(
        `select t.id, t.user_id as "userId", t.team_id as "teamId", t.scope, t.expires_at as "expiresAt", m.role
         from account.tokens t
         left join account.members m on m.team_id = t.team_id and m.user_id = t.user_id
         where t.hash = $1 and t.revoked_at is null and (t.user_id is null or m.role is not null)`,
        [toBytes(hash)],
      );
      return row ? toKnown(row) : null;
    },

    /** Lists the tokens of a person, or of a team, that are not revoked, latest first. */
    list: async (of: { userId: string } | { teamId: string }): Promise<Token[]> => (await live(of)).map(toToken),

    listOwners: async (): Promise<OwnerToken[]> => (await live({ userId: null })).map(toOwnerToken),

    async noteUsed(uses: readonly { id: string; at: Date }[]): Promise<void> {
      await database.rows(lastUsed('tokens'), [uses.map((u) => u.id), uses.map((u) => u.at)]);
    },

    insert: async (tx: PrismaTransaction, token: Wanted<Token>): Promise<Token> => toToken(await insert(tx, token)),

    insertOwner: async (tx: PrismaTransaction, token: Wanted<OwnerToken>): Promise<OwnerToken> =>
      toOwnerToken(await insert(tx, token)),

    async findOf(tx: PrismaTransaction, id: string, of: { userId: string } | { teamId: string }) {
      const row = await tx.token.findUnique({ where: { id, ...of } });
      return row && toToken(row);
    },

    /** Revokes a token. A token that is already revoked keeps its time. */
    async revoke(tx: PrismaTransaction, id: string, now: Date): Promise<Token> {
      await tx.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
      return toToken(await tx.token.findUniqueOrThrow({ where: { id } }));
    },

    async revokeAll(tx: PrismaTransaction, of: { teamId?: string; userId?: string }, now: Date): Promise<void> {
      await tx.token.updateMany({ where: { ...of, revokedAt: null }, data: { revokedAt: now } });
    },

    /** A token that is already revoked keeps its time. Null: the operator has no such token. */
    async revokeOwner(tx: PrismaTransaction, id: string, now: Date) {
      await tx.token.updateMany({ where: { id, userId: null, revokedAt: null }, data: { revokedAt: now } });
      const row = await tx.token.findUnique({ where: { id, userId: null } });
      return row && { token: toOwnerToken(row), hash: toHash(row.hash) };
    },
  };
}

/** Stores the hash of an owner token, unless it is already stored. A revoked one stays revoked. */
export async function storeOwnerToken({ prisma }: Database, token: string, now: Date, label = 'OWNER_TOKEN') {
  const data = { id: randomUUID(), hash: toBytes(sha256(token)), label, createdAt: now };
  // Prisma's upsert fails in all but one process when several start at once.
  await prisma.token.createMany({ data, skipDuplicates: true });
}

function toKnown(row: TokenRow & { role: string | null }): KnownToken {
  const { id: tokenId, userId, teamId } = row;
  const expiresAt = row.expiresAt?.toISOString() ?? null;
  if (userId === null || teamId === null) return { caller: { kind: 'operator', tokenId }, expiresAt };
  const rights = { role: Role.parse(row.role), scope: Scope.parse(row.scope) };
  return { caller: { kind: 'token', tokenId, userId, teamId, ...rights }, expiresAt };
}
