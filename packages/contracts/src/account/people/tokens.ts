// Messages about tokens for programs. A personal token has the rights of its person in one team, or fewer rights. An
// owner token may do everything.
import { z } from 'zod';
import { event, request } from '../../define.ts';
import { hash, instant, text, uuid } from '../../fields.ts';
import { actor, Role, Scope } from './rights.ts';

const queries = 'account.queries';
const commands = 'account.commands';

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

export const MakeToken = request({
  kind: 'command',
  name: 'MakeToken',
  description: 'Creates a personal access token. Only its hash is sent.',
  topic: commands,
  input: z.object({
    actor: actor(),
    userId: uuid(),
    teamId: uuid(),
    scope: Scope,
    label: text(200),
    hint: text(20),
    hash: hash(),
    expiresAt: instant().nullable(),
  }),
  reply: z.object({ token: Token }),
  refusals: { TEAM_NOT_FOUND: z.object({}), FORBIDDEN: z.object({}) },
  key: (input) => input.userId,
});

export const ListTokens = request({
  kind: 'query',
  name: 'ListTokens',
  description: 'Lists the tokens of a person or of a team that are not revoked, latest first.',
  topic: queries,
  input: z.object({ userId: uuid().nullable(), teamId: uuid().nullable() }),
  reply: z.object({ tokens: z.array(Token) }),
  refusals: {},
  key: (input, id) => input.userId ?? input.teamId ?? id,
});

export const RevokeToken = request({
  kind: 'command',
  name: 'RevokeToken',
  description: 'Revokes a token of a person, or one of a team.',
  topic: commands,
  input: z.object({ actor: actor(), tokenId: uuid(), userId: uuid().nullable(), teamId: uuid().nullable() }),
  reply: z.object({ token: Token }),
  refusals: { TOKEN_NOT_FOUND: z.object({}), FORBIDDEN: z.object({}) },
  key: (input) => input.tokenId,
});

/** The current rights of a token. */
export const TokenUse = z.object({
  tokenId: uuid(),
  /**
   * Null: the token is an owner token of the installation, which may do everything. `role` is the role of the person in
   * the team.
   */
  person: z.object({ userId: uuid(), teamId: uuid(), role: Role, scope: Scope }).nullable().default(null),
  expiresAt: instant().nullable().default(null),
});

export const FindToken = request({
  kind: 'query',
  name: 'FindToken',
  description: 'Finds the rights of a token, by its hash.',
  topic: queries,
  input: z.object({ hash: hash() }),
  reply: TokenUse,
  refusals: { TOKEN_UNKNOWN: z.object({}) },
  key: (input) => input.hash,
});

export const CreateToken = request({
  kind: 'command',
  name: 'CreateToken',
  description: 'Creates an owner token.',
  topic: commands,
  input: z.object({ hash: hash(), label: text(200) }),
  reply: z.object({ tokenId: uuid() }),
  refusals: {},
  key: (input) => input.hash,
});

/** An owner token. It belongs to the operator. */
export const OwnerToken = Token.omit({ userId: true, teamId: true, scope: true });
export type OwnerToken = z.output<typeof OwnerToken>;

export const ListOwnerTokens = request({
  kind: 'query',
  name: 'ListOwnerTokens',
  description: 'Lists the owner tokens that are not revoked, latest first.',
  topic: queries,
  input: z.object({}),
  reply: z.object({ tokens: z.array(OwnerToken) }),
  refusals: {},
  key: (_, id) => id,
});

export const MakeOwnerToken = request({
  kind: 'command',
  name: 'MakeOwnerToken',
  description: 'Creates another owner token for a caller who has one. Only its hash is sent.',
  topic: commands,
  input: z.object({
    actor: actor(),
    label: text(200),
    hint: text(20),
    hash: hash(),
    expiresAt: instant().nullable(),
  }),
  reply: z.object({ token: OwnerToken }),
  refusals: { FORBIDDEN: z.object({}) },
  key: (input) => input.hash,
});

export const RevokeOwnerToken = request({
  kind: 'command',
  name: 'RevokeOwnerToken',
  description: 'Revokes an owner token.',
  topic: commands,
  input: z.object({ actor: actor(), tokenId: uuid() }),
  reply: z.object({ token: OwnerToken }),
  refusals: { TOKEN_NOT_FOUND: z.object({}), FORBIDDEN: z.object({}) },
  key: (input) => input.tokenId,
});

export const TokenRevoked = event({
  name: 'TokenRevoked',
  description: 'An owner token was revoked. Caches must drop it.',
  audience: 'internal',
  producer: 'account',
  topic: 'token.revoked',
  data: z.object({ tokenId: uuid().describe('The token.'), hash: hash().describe('Its SHA-256.') }),
  key: (data) => data.tokenId,
});

export const TokenUsed = event({
  name: 'TokenUsed',
  description: 'A token was used. Sent at most once a minute for each token and gateway.',
  audience: 'internal',
  producer: 'gateway',
  topic: 'token.used',
  data: z.object({ tokenId: uuid().describe('The token.') }),
  key: (data) => data.tokenId,
});
