// Messages about the people of an installation and their rights.
import { z } from 'zod';
import { event, request } from '../../define.ts';
import { cursor, instant, page, text, uuid } from '../../fields.ts';
import { actor, email, Role } from './rights.ts';

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

/** The role of a person in a team. */
export const Membership = z.object({ teamId: uuid(), role: Role });

export const FindPerson = request({
  kind: 'query',
  name: 'FindPerson',
  description: 'Finds a person with their teams and their sign-in providers.',
  topic: 'account.queries',
  input: z.object({ userId: uuid() }),
  reply: z.object({
    person: Person,
    teams: z.array(z.object({ id: uuid(), name: text(200), role: Role })),
    identities: z.array(Identity).max(100).default([]),
  }),
  refusals: { PERSON_NOT_FOUND: z.object({}) },
  key: (input) => input.userId,
});

export const ListPeople = request({
  kind: 'query',
  name: 'ListPeople',
  description: 'Lists all people of the installation, latest first.',
  topic: 'account.queries',
  input: z.object(page),
  reply: z.object({ people: z.array(Person), next: cursor().nullable() }),
  refusals: {},
  key: (_, id) => id,
});

export const RenamePerson = request({
  kind: 'command',
  name: 'RenamePerson',
  description: 'Changes the name of a person.',
  topic: 'account.commands',
  input: z.object({ actor: actor(), userId: uuid(), name: text(200) }),
  reply: z.object({ person: Person }),
  refusals: { PERSON_NOT_FOUND: z.object({}) },
  key: (input) => input.userId,
});

/** The rights or the sessions of a person changed. Caches must drop both. */
export const PersonChanged = event({
  name: 'PersonChanged',
  description: 'A person, their rights, or one of their sessions or tokens changed. Caches must drop it.',
  audience: 'internal',
  producer: 'account',
  topic: 'person.changed',
  data: z.object({ userId: uuid().describe('The person.') }),
  key: (data) => data.userId,
});
