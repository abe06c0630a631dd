// The lifetime of an invitation, and the end of invitations whose giver lost the right to give them.
import type { Role } from '@landfall/contracts';
import { has } from './rights.ts';

const DAYS = 7;
const everyRole: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

export const expiresAt = (made: Date): Date => new Date(made.getTime() + DAYS * 86_400_000);

/** The roles that somebody can no longer give who has this one by now. Null: they have left. */
export const noLongerGiven = (role: Role | null): Role[] =>
  has(role, 'admin') ? everyRole.filter((one) => !has(role, one)) : [...everyRole];
