// Members and invitations of a team, as replies show them.
import { instant, Role, text, uuid } from '@landfall/contracts';
import { z } from 'zod';

export const memberView = z.object({
  userId: uuid(),
  email: z.string(),
  /** True when a sign-in provider or a reset has confirmed that the member owns the email. */
  emailVerified: z.boolean().default(false),
  name: text(200),
  role: Role,
  since: instant(),
});
export type Member = z.output<typeof memberView>;

export const invitationView = z.object({
  id: uuid(),
  teamId: uuid(),
  email: z.string(),
  role: Role,
  invitedBy: uuid().nullable(),
  createdAt: instant(),
  expiresAt: instant(),
});
export type Invitation = z.output<typeof invitationView>;
