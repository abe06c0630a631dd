// Who may do what: roles in a team, scopes of a token, and who did a thing.
import { z } from 'zod';
import { hash, sealed, uuid } from '../../fields.ts';

/** Each has all rights of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export const Role = z.enum(roles);
export type Role = z.output<typeof Role>;

/** Whether a role has the rights of another. */
export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

/** The lesser of two roles. */
export const lesser = (a: Role, b: Role): Role => (atLeast(a, b) ? b : a);

/** What a token may do at most, whatever its person may: `read` sees, `write` does what an admin does. */
export const Scope = z.enum(['read', 'write']);
export type Scope = z.output<typeof Scope>;
export const roleOfScope = { read: 'viewer', write: 'admin' } as const satisfies Record<Scope, Role>;

/** Who does something, as far as the gateway knows them. The service looks again at what a person may. */
export const Actor = z.object({
  /** `operator`: whoever holds the owner token, or the operator's command. */
  kind: z.enum(['person', 'token', 'operator']),
  /** The person; also of a token. Null for the operator. */
  userId: uuid().nullable(),
  tokenId: uuid().nullable(),
  /** Keyed hash of their address. */
  address: hash().nullable(),
});
export type Actor = z.output<typeof Actor>;

const OPERATOR: Actor = { kind: 'operator', userId: null, tokenId: null, address: null };

/** Commands are the operator's where nothing else is said. */
export const actor = () => Actor.default(OPERATOR);

export const email = () => sealed('email');
