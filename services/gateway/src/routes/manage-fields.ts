// Fields of the management API.
import {
  App,
  cursor,
  Identity,
  Invitation,
  isDeceptive,
  Key,
  Link,
  MAX_OVERLAP_SECONDS,
  Member,
  Person,
  Session,
  Team,
  Token,
  text,
} from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { z } from 'zod';
import type { GatewayConfig } from '../config.ts';
import type { Provider } from '../oidc/provider.ts';
import { linkHost, linkUrl, openHost } from './link-view.ts';

/** An id in a path, in any case. */
export const id = () => z.uuid().toLowerCase();

export const appParams = z.object({ appId: id() });
export const teamParams = z.object({ teamId: id() });

/** Lists are read page by page, newest first. */
export const pageQuery = z.object({
  limit: z.coerce.number<string>().int().min(1).max(100).default(50).describe('Rows a page.'),
  cursor: cursor().optional().describe('`next` of the page before.'),
});

export const next = () => cursor().nullable().describe('The cursor of the next page; null at the end.');

/** Seconds that a replaced value stays valid: a day when left out. */
export const overlapSeconds = () => z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DAY_SECONDS);
const DAY_SECONDS = 86_400;

/** Of somebody who is here. */
export const emailText = () =>
  text(320)
    .regex(/^\s*[^\s@]+@[^\s@]+\s*$/, 'must be an email address')
    .meta({ format: 'email' });
/** Of somebody who comes. */
export const newEmail = () =>
  emailText().refine((email) => !isDeceptive(email.trim()), {
    error: 'must contain no invisible character, and none that is easily taken for an ASCII character',
  });
/** One that is in use, whatever rules it was made under. */
export const knownPassword = () => text(1_024).min(1).meta({ format: 'password' });
/** A code that was shown once: 32 bytes as base64url. */
export const code = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be a code of 43 characters')
    .meta({ format: 'password' });
/** Of a token. */
export const expiry = () =>
  z.iso.datetime({ offset: true }).nullable().default(null).describe('From then on it is refused; null: never.');
export const personName = () => text(200).describe('What they are called.');

export const appView = App.extend({ linkHost: z.string(), openHost: z.string() });

export const viewApp = (app: App, config: GatewayConfig): z.input<typeof appView> => ({
  ...app,
  linkHost: linkHost(app, config),
  openHost: openHost(app, config),
});

export const keyView = Key.describe('A key without its plaintext, which is shown once, when it is made.');

export const linkView = Link.extend({ url: z.string() });

export const viewLink = (app: App, link: Link, config: GatewayConfig): z.input<typeof linkView> => ({
  ...link,
  url: linkUrl(app, link, config),
});

export const teamView = Team;
export const tokenView = Token.describe('A token without its plaintext, which is shown once, when it is made.');
export const identityView = Identity.omit({ issuer: true }).extend({
  name: z.string().describe('What people call the provider.'),
});
export const viewIdentity = ({ issuer, ...times }: Identity, provider: Provider | null) => ({
  name: provider?.settings.issuer === issuer ? provider.settings.name : new URL(issuer).host,
  ...times,
});
export const sessionView = Session.extend({
  userAgent: z.string().describe('What the browser is called, e.g. `Firefox on Windows`.'),
  current: z.boolean().describe('It is the one that asks.'),
});

/** Emails travel sealed; whoever may see them reads them. */
const email = () => z.string();
const opened = <T extends { email: string }>(of: T, sealer: Sealer): T => ({
  ...of,
  email: sealer.open('email', of.email),
});

export const personView = Person.extend({ email: email() });
export const viewPerson = (person: Person, sealer: Sealer): z.input<typeof personView> => opened(person, sealer);

export const memberView = Member.extend({ email: email() });
export const viewMember = (member: Member, sealer: Sealer): z.input<typeof memberView> => opened(member, sealer);

export const invitationView = Invitation.extend({ email: email() });
export const viewInvitation = (invitation: Invitation, sealer: Sealer): z.input<typeof invitationView> =>
  opened(invitation, sealer);
