// The people of an installation and their rights.
import { z } from 'zod';
import { event } from '../../define.ts';
import { instant, text, uuid } from '../../fields.ts';
import { email } from './rights.ts';

/** A person, as shown to them and their team. */
export const Person = z.object({
  id: uuid(),
  email: email(),
  name: text(200),
  /** True when the person may set plans and see every team. */
  instanceOwner: z.boolean(),
  /** False when the person can sign in only through the OpenID Connect provider. */
  hasPassword: z.boolean(),
  /** True when a sign-in provider or a reset has confirmed that the person owns the email. */
  emailVerified: z.boolean().default(false),
  createdAt: instant(),
});
export type Person = z.output<typeof Person>;

/** An OpenID Connect provider through which a person signs in. */
export const Identity = z.object({
  /** The issuer URL of the provider. */
  issuer: text(2_048),
  createdAt: instant(),
  lastUsedAt: instant(),
});
export type Identity = z.output<typeof Identity>;

/** The rights or the sessions of a person changed. Caches must drop both. */
export const PersonChanged = event({
  name: 'PersonChanged',
  description: 'A person, their rights, or one of their sessions or tokens changed. Caches must drop it.',
  audience: 'internal',
  producer: 'console',
  topic: 'person.changed',
  data: z.object({ userId: uuid().describe('The person.') }),
  key: (data) => data.userId,
});
