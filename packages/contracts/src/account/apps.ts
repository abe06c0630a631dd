// Messages about apps, their host names and their plans.
import { z } from 'zod';
import { event, request } from '../define.ts';
import { cursor, instant, page, text, uuid } from '../fields.ts';
import { AppSettings, AppSettingsChange } from './app-settings.ts';
import { domainName, subdomain } from './host-names.ts';
import { actor } from './people/rights.ts';
import { timeZone } from './time-zone.ts';

const queries = 'account.queries';
const commands = 'account.commands';

export const Plan = z.object({
  name: text(100).min(1),
  /** The limit of generated links in a calendar month (UTC). Null: no limit. */
  linksPerMonth: z.int().min(0).max(2_147_483_647).nullable(),
});
export type Plan = z.output<typeof Plan>;

export const App = AppSettings.extend({
  id: uuid(),
  /** Null: only the operator owns the app. */
  teamId: uuid().nullable().default(null),
  name: text(200).min(1),
  /** The app's links are on `<subdomain>.<LINK_DOMAIN>`. Its buttons point to `open-<subdomain>.<LINK_DOMAIN>`. */
  subdomain: subdomain(),
  /** Verified custom domains. The app's links also work there. */
  domains: z.array(domainName()).default([]),
  /** The domain of new links, one of `domains`. Null: the subdomain. */
  primaryDomain: domainName().nullable().default(null),
  plan: Plan,
  version: z.int(),
  createdAt: instant(),
  /** The time of the archiving. An archived app is not served, and nothing is deleted. Null: the app is live. */
  archivedAt: instant().nullable().default(null),
});
export type App = z.output<typeof App>;

export const APP_NOT_FOUND = z.object({});
/** The actor's role in the app's team is no longer sufficient. */
export const FORBIDDEN = z.object({});
/** The object has changed since the caller read it. */
export const VERSION_MISMATCH = z.object({ version: z.int() });

export const FindApp = request({
  kind: 'query',
  name: 'FindApp',
  description: 'Finds an app by its id.',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const FindHost = request({
  kind: 'query',
  name: 'FindHost',
  description: 'Finds an app by a host name.',
  topic: queries,
  /** A subdomain of LINK_DOMAIN (no dot), or a whole host name in lower case without a port. */
  input: z.object({ host: text(253) }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.host,
});

export const ListApps = request({
  kind: 'query',
  name: 'ListApps',
  description: 'Lists the apps of some teams, or all apps; latest first.',
  topic: queries,
  input: z.object({
    /** Null: all teams. */
    teamIds: z.array(uuid()).max(1_000).nullable().default(null),
    /** Null: archived and live apps. */
    archived: z.boolean().nullable().default(false),
    ...page,
  }),
  reply: z.object({ apps: z.array(App), next: cursor().nullable() }),
  refusals: {},
  key: (_, id) => id,
});

export const CreateApp = request({
  kind: 'command',
  name: 'CreateApp',
  description: 'Creates an app.',
  topic: commands,
  input: z.object({
    actor: actor(),
    /** Null: the first team of the instance, as soon as this team exists. */
    teamId: uuid().nullable().default(null),
    name: App.shape.name,
    subdomain: subdomain(),
    settings: AppSettings,
  }),
  reply: z.object({ app: App }),
  refusals: {
    TEAM_NOT_FOUND: z.object({}),
    FORBIDDEN,
    SUBDOMAIN_TAKEN: z.object({}),
    SUBDOMAIN_RESERVED: z.object({}),
    /** The app requires tokens, and has no secret without an expiry. */
    IDENTITY_SECRET_NEEDED: z.object({}),
    /** The team has reached the installation's limit. */
    TOO_MANY_APPS: z.object({}),
  },
  key: (input) => input.subdomain,
});

export const UpdateApp = request({
  kind: 'command',
  name: 'UpdateApp',
  description: 'Changes the name, the hosts or settings of an app, archives it or restores it.',
  topic: commands,
  input: z.object({
    actor: actor(),
    /** The command is refused unless the app has this version. */
    ifVersion: z.int().nullable().default(null),
    appId: uuid(),
    name: App.shape.name.optional(),
    subdomain: subdomain().optional(),
    primaryDomain: domainName().nullable().optional(),
    archived: z.boolean().optional(),
    settings: AppSettingsChange,
  }),
  reply: z.object({ app: App }),
  refusals: {
    APP_NOT_FOUND,
    FORBIDDEN,
    SUBDOMAIN_TAKEN: z.object({}),
    SUBDOMAIN_RESERVED: z.object({}),
    /** The app requires tokens, and has no secret without an expiry. */
    IDENTITY_SECRET_NEEDED: z.object({}),
    /** The app has reached the installation's limit of former subdomains. */
    TOO_MANY_SUBDOMAINS: z.object({}),
    /** Only a verified domain can carry links. */
    DOMAIN_NOT_VERIFIED: z.object({}),
    VERSION_MISMATCH,
  },
  key: (input) => input.appId,
});

export const SetPlan = request({
  kind: 'command',
  name: 'SetPlan',
  description: 'Changes the plan of an app.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), plan: Plan }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND, FORBIDDEN },
  key: (input) => input.appId,
});

export const AppChanged = event({
  name: 'AppChanged',
  description: 'An app, its hosts or its plan changed. Caches must drop it.',
  audience: 'internal',
  producer: 'account',
  topic: 'app.changed',
  data: z.object({
    appId: uuid().describe('The app.'),
    version: z.int().describe('The number of the state, which increases.'),
    hosts: z.array(text(253)).describe('Its host names, including former ones.'),
    timeZone: timeZone().default('UTC').describe('The time zone of its figures.'),
  }),
  key: (data) => data.appId,
});
