// Roles in a team, scopes of a token, and actors.
import { z } from 'zod';
import { hash, sealed, uuid } from '../../fields.ts';

/** Each role has all rights of the roles before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export const Role = z.enum(roles);
export type Role = z.output<typeof Role>;

/** Checks whether a role has all rights of another role. */
export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

/** Returns the lesser of two roles. */
export const lesser = (a: Role, b: Role): Role => (atLeast(a, b) ? b : a);

/**
 * The limit of a token, even if its person has more rights. `read` may only read. `write` may do everything that an
 * admin may do.
 */
export const Scope = z.enum(['read', 'write']);
export type Scope = z.output<typeof Scope>;
export const roleOfScope = { read: 'viewer', write: 'admin' } as const satisfies Record<Scope, Role>;

/** The actor of a command, as the gateway knows it. The service checks the rights of a person again. */
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

const OPERATOR: Actor = { kind: 'operator', userId: null, tokenId: null, address: null };

/** The operator is the default actor of commands. */
export const actor = () => Actor.default(OPERATOR);

export const email = () => sealed('email');
