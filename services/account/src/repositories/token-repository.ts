// Tokens for the management API: the operator's tokens and people's tokens.
import { type OwnerToken, Role, Scope, type Token, type TokenUse } from '@landfall/contracts';
import type { Database, PrismaTransaction, Token as TokenRow } from '@landfall/db';
import type { z } from 'zod';
import { toBytes, toHash } from '../bytes.ts';

const toToken = (row: TokenRow): Token => ({
  ...toOwnerToken(row),
  userId: row.userId!,
  teamId: row.teamId!,
  scope: Scope.parse(row.scope),
});

const toOwnerToken = (row: TokenRow): OwnerToken => ({
  id: row.id,
  label: row.label,
  hint: row.hint,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});

type Use = z.output<typeof TokenUse>;

export type TokenRepository = ReturnType<typeof tokenRepository>;

export function tokenRepository(database: Database) {
  const { prisma } = database;
  return {
    /**
     * Returns the rights of tokens by hash. The map does not contain revoked tokens and tokens of people who have left
     * the team. It may contain expired tokens.
     */
    async find(hashes: readonly string[]): Promise<Map<string, Use>> {
      const rows = await database.rows<TokenRow & { role: string | null }>(
        `select t.hash, t.id, t.user_id as "userId", t.team_id as "teamId", t.scope, t.expires_at as "expiresAt", m.role
         from account.tokens t
         left join account.members m on m.team_id = t.team_id and m.user_id = t.user_id
         where t.hash = any($1::bytea[]) and t.revoked_at is null
           and (t.user_id is null or m.role is not null)`,
        [hashes.map(toBytes)],
      );
      return new Map(rows.map((row) => [toHash(row.hash), toUse(row)]));
    },

    /** Lists the tokens that are not revoked, latest first. */
    async list(of: { userId: string | null; teamId: string | null }): Promise<Token[]> {
      const { userId, teamId } = of;
      // Without a user and a team, the query would return all tokens, including the operator's, which belong to no
      // person.
      if (userId === null && teamId === null) return [];
      const rows = await prisma.token.findMany({
        where: { ...(userId && { userId }), ...(teamId && { teamId }), revokedAt: null },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toToken);
    },

    /** Stores when tokens were last used. A time older than the stored one changes nothing. */
    async noteUsed(uses: readonly { id: string; at: Date }[]): Promise<void> {
      await database.rows(
        `update account.tokens t set last_used_at = u.at
         from (select id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as u(id, at) group by id) u
         where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`,
        [uses.map((u) => u.id), uses.map((u) => u.at)],
      );
    },

    async insert(
      tx: PrismaTransaction,
      token: Pick<Token, 'id' | 'userId' | 'teamId' | 'scope' | 'label' | 'hint' | 'expiresAt'> & {
        hash: string;
        now: Date;
      },
    ): Promise<Token> {
      const { now, hash, ...rest } = token;
      return toToken(await tx.token.create({ data: { ...rest, hash: toBytes(hash), createdAt: now } }));
    },

    async get(tx: PrismaTransaction, id: string): Promise<Token | null> {
      const row = await tx.token.findUnique({ where: { id, userId: { not: null } } });
      return row && toToken(row);
    },

    /** Revokes a token. A token that is already revoked keeps its time. */
    async revoke(tx: PrismaTransaction, id: string, now: Date): Promise<Token> {
      await tx.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
      return toToken(await tx.token.findUniqueOrThrow({ where: { id } }));
    },

    async revokeOfMember(tx: PrismaTransaction, teamId: string, userId: string, now: Date): Promise<void> {
      await tx.token.updateMany({ where: { teamId, userId, revokedAt: null }, data: { revokedAt: now } });
    },

    /** Revokes all tokens of a person, in every team. */
    async revokeOfPerson(tx: PrismaTransaction, userId: string, now: Date): Promise<void> {
      await tx.token.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: now } });
    },

    async revokeOfTeam(tx: PrismaTransaction, teamId: string, now: Date): Promise<void> {
      await tx.token.updateMany({ where: { teamId, revokedAt: null }, data: { revokedAt: now } });
    },

    /** Lists the operator's tokens that are not revoked, latest first. */
    async listOwners(): Promise<OwnerToken[]> {
      const rows = await prisma.token.findMany({
        where: { userId: null, revokedAt: null },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toOwnerToken);
    },

    async insertOwner(
      tx: PrismaTransaction,
      token: Pick<OwnerToken, 'id' | 'label' | 'hint' | 'expiresAt'> & { hash: string; now: Date },
    ): Promise<OwnerToken> {
      const { now, hash, ...rest } = token;
      return toOwnerToken(await tx.token.create({ data: { ...rest, hash: toBytes(hash), createdAt: now } }));
    },

    /**
     * Revokes a token of the operator. A token that is already revoked keeps its time. Null: the operator has no such
     * token.
     */
    async revokeOwner(
      tx: PrismaTransaction,
      id: string,
      now: Date,
    ): Promise<{ token: OwnerToken; hash: string } | null> {
      await tx.token.updateMany({ where: { id, userId: null, revokedAt: null }, data: { revokedAt: now } });
      const row = await tx.token.findUnique({ where: { id, userId: null } });
      return row && { token: toOwnerToken(row), hash: toHash(row.hash) };
    },

    /** Stores a token of the operator unless it is already stored. Returns its id. */
    async ensure(token: { id: string; hash: string; label: string; now: Date }): Promise<string> {
      const { now, hash, ...rest } = token;
      // Two steps, because Prisma's upsert fails in all but one process when several start at once.
      await prisma.token.createMany({ data: { ...rest, hash: toBytes(hash), createdAt: now }, skipDuplicates: true });
      const row = await prisma.token.findUniqueOrThrow({ where: { hash: toBytes(hash) } });
      return row.id;
    },
  };
}

function toUse(row: TokenRow & { role: string | null }): Use {
  const { id: tokenId, userId, teamId, scope, role } = row;
  const expiresAt = row.expiresAt?.toISOString() ?? null;
  if (userId === null || teamId === null) return { tokenId, person: null, expiresAt };
  return { tokenId, person: { userId, teamId, role: Role.parse(role), scope: Scope.parse(scope) }, expiresAt };
}
