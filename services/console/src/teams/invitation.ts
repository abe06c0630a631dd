// The lifetime of an invitation, and which invitations end when their sender loses the right to give that role.
import type { Role } from '@landfall/contracts';
import { has } from '../domain/rights.ts';

const DAYS = 7;
const everyRole: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

export const expiresAt = (made: Date): Date => new Date(made.getTime() + DAYS * 86_400_000);

/** Returns the roles that a member with this role cannot give. Null: the member has left the team. */
export const noLongerGiven = (role: Role | null): Role[] =>
  has(role, 'admin') ? everyRole.filter((one) => !has(role, one)) : [...everyRole];
