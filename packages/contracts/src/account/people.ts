// The rights of people and of their tokens, and the events by which caches learn of changes.
import { z } from 'zod';
import { eventsOf } from '../define.ts';
import { hash, instant, json, text, uuid } from '../fields.ts';

/** Each role has all rights of the roles before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export const Role = z.enum(roles);
export type Role = z.output<typeof Role>;

export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

export const lesser = (a: Role, b: Role): Role => (atLeast(a, b) ? b : a);

/** The limit of a token, even if its person has more rights. `write`: everything that an admin may do. */
export const Scope = z.enum(['read', 'write']);
export type Scope = z.output<typeof Scope>;
export const roleOfScope = { read: 'viewer', write: 'admin' } as const satisfies Record<Scope, Role>;

/** The caller of a command. The service checks the rights of a person again. */
export const Actor = z.object({
  /** `operator`: a program with the owner token, or the operator's command line. */
  kind: z.enum(['person', 'token', 'operator']),
  /** The person, also when a token is used. Null for the operator. */
  userId: uuid().nullable(),
  tokenId: uuid().nullable(),
  /** The keyed hash of the actor's IP address. */
  address: hash().nullable(),
});
export type Actor = z.output<typeof Actor>;

export const OPERATOR: Actor = { kind: 'operator', userId: null, tokenId: null, address: null };

export const actor = () => Actor.default(OPERATOR);

export const AuditEntry = z.object({
  id: uuid(),
  at: instant(),
  actor: Actor.omit({ address: true }),
  address: hash().nullable(),
  /** The name of the command: `CreateKey`. */
  action: text(100),
  teamId: uuid().nullable(),
  appId: uuid().nullable(),
  /** The id of the changed object. */
  subject: uuid(),
  /** The earlier state, without secrets. Null when there was no earlier state. */
  before: json().nullable(),
  after: json().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const { internalEvent } = eventsOf('console');

export const PersonChanged = internalEvent('PersonChanged', {
  description: 'A person, their rights, or one of their sessions or tokens changed. Caches must drop it.',
  topic: 'person.changed',
  data: z.object({ userId: uuid().describe('The person.') }),
  key: (data) => data.userId,
});

export const TeamChanged = internalEvent('TeamChanged', {
  description: 'A team changed. Caches must drop it.',
  topic: 'team.changed',
  data: z.object({ teamId: uuid().describe('The team.') }),
  key: (data) => data.teamId,
});

export const SessionUsed = internalEvent('SessionUsed', {
  description: 'A session was used. Sent at most once in five minutes for each session and console.',
  topic: 'session.used',
  data: z.object({ sessionId: uuid().describe('The session.') }),
  key: (data) => data.sessionId,
});

/** A personal token has the rights of its person in one team, or fewer rights. An owner token may do everything. */
export const TokenRevoked = internalEvent('TokenRevoked', {
  description: 'An owner token was revoked. Caches must drop it.',
  topic: 'token.revoked',
  data: z.object({ tokenId: uuid().describe('The token.'), hash: hash().describe('Its SHA-256.') }),
  key: (data) => data.tokenId,
});

export const TokenUsed = internalEvent('TokenUsed', {
  description: 'A token was used. Sent at most once a minute for each token and console.',
  topic: 'token.used',
  data: z.object({ tokenId: uuid().describe('The token.') }),
  key: (data) => data.tokenId,
});

/** A read-only link to a view of an app's figures. */
export const ShareChanged = internalEvent('ShareChanged', {
  description: 'A share link of an app was changed or revoked. Caches must drop it.',
  topic: 'share.changed',
  data: z.object({ shareId: uuid().describe('The share.'), hash: hash().describe('The SHA-256 of its secret.') }),
  key: (data) => data.shareId,
});
