// The people of an installation: who they are, and what they may do.
import { z } from 'zod';
import { event, request } from '../../define.ts';
import { cursor, instant, page, text, uuid } from '../../fields.ts';
import { actor, email, Role } from './rights.ts';

/** A person as they and their team see them. */
export const Person = z.object({
  id: uuid(),
  email: email(),
  name: text(200),
  /** May set plans, and sees every team. */
  instanceOwner: z.boolean(),
  /** False: they sign in through the provider of OpenID Connect only. */
  hasPassword: z.boolean(),
  createdAt: instant(),
});
export type Person = z.output<typeof Person>;

/** A provider of OpenID Connect through which a person signs in. */
export const Identity = z.object({
  /** The provider, by its URL. */
  issuer: text(2_048),
  createdAt: instant(),
  lastUsedAt: instant(),
});
export type Identity = z.output<typeof Identity>;

/** What a person may do, by team. */
export const Membership = z.object({ teamId: uuid(), role: Role });

export const FindPerson = request({
  kind: 'query',
  name: 'FindPerson',
  description: 'A person with their teams, and the providers that they sign in through.',
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
  description: 'All people of the installation, latest first.',
  topic: 'account.queries',
  input: z.object(page),
  reply: z.object({ people: z.array(Person), next: cursor().nullable() }),
  refusals: {},
  key: (_, id) => id,
});

export const RenamePerson = request({
  kind: 'command',
  name: 'RenamePerson',
  description: 'Gives a person another name.',
  topic: 'account.commands',
  input: z.object({ actor: actor(), userId: uuid(), name: text(200) }),
  reply: z.object({ person: Person }),
  refusals: { PERSON_NOT_FOUND: z.object({}) },
  key: (input) => input.userId,
});

/** What a person may do changed, or their sessions did: whoever remembers either forgets. */
export const PersonChanged = event({
  name: 'PersonChanged',
  description: 'A person, what they may do, or one of their sessions or tokens changed: whoever keeps a copy drops it.',
  audience: 'internal',
  producer: 'account',
  topic: 'person.changed',
  data: z.object({ userId: uuid().describe('The person.') }),
  key: (data) => data.userId,
});
