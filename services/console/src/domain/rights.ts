// The rights of a role.
import type { Role } from '@landfall/contracts';

const rank: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Returns whether a role includes the rights of the needed role. Null: the person has no role. */
export const has = (role: Role | null, needed: Role): boolean => role !== null && rank[role] >= rank[needed];
