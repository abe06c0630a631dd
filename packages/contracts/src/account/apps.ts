// Messages about apps, their host names and their plans, and about the regular checks of their association files.
import { z } from 'zod';
import { eventsOf, requestsOf } from '../define.ts';
import { instant, orNull, text, uuid } from '../fields.ts';
import { AppSettings } from './app-settings.ts';
import { timeZone } from './time-zone.ts';

const { query } = requestsOf('account');
const { publicEvent, internalEvent } = eventsOf('console');

export const subdomain = () =>
  z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a DNS label: a-z, 0-9 and "-", at most 63 characters');

/** The maximum length. The name with `_landfall.` before it must also fit into the 253 characters of DNS. */
const MAX_DOMAIN = 253 - '_landfall.'.length;

/** A host name in its DNS form: ASCII, lower case. It is never an address: its last label begins with a letter. */
export const domainName = () =>
  z
    .string()
    .max(MAX_DOMAIN)
    .regex(
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
      'must be a host name such as go.example.com',
    );

export const Plan = z.object({
  name: text(100).min(1),
  /** The limit of generated links in a calendar month (UTC). Null: no limit. */
  linksPerMonth: z.int().min(0).max(2_147_483_647).nullable(),
});
export type Plan = z.output<typeof Plan>;

export const App = AppSettings.extend({
  id: uuid(),
  /** Null: only the operator owns the app. */
  teamId: orNull(uuid()),
  name: text(200).min(1),
  /** The app's links are on `<subdomain>.<LINK_DOMAIN>`. Its buttons point to `open-<subdomain>.<LINK_DOMAIN>`. */
  subdomain: subdomain(),
  /** Verified custom domains. The app's links also work there. */
  domains: z.array(domainName()).default([]),
  /** The domain of new links, one of `domains`. Null: the subdomain. */
  primaryDomain: orNull(domainName()),
  plan: Plan,
  version: z.int(),
  createdAt: instant(),
  /** The time of the archiving. An archived app is not served, and nothing is deleted. Null: the app is live. */
  archivedAt: orNull(instant()),
});
export type App = z.output<typeof App>;

export const APP_NOT_FOUND = z.object({});
/** The actor's role in the app's team is no longer sufficient. */
export const FORBIDDEN = z.object({});
/** The object has changed since the caller read it. */
export const VERSION_MISMATCH = z.object({ version: z.int() });

export const FindApp = query('FindApp', {
  description: 'Finds an app by its id.',
  input: z.object({ appId: uuid() }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const FindHost = query('FindHost', {
  description: 'Finds an app by a host name.',
  /** A subdomain of LINK_DOMAIN (no dot), or a whole host name in lower case without a port. */
  input: z.object({ host: text(253) }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.host,
});

export const AppChanged = internalEvent('AppChanged', {
  description: 'An app, its hosts or its plan changed. Caches must drop it.',
  topic: 'app.changed',
  data: z.object({
    appId: uuid().describe('The app.'),
    version: z.int().describe('The number of the state, which increases.'),
    hosts: z.array(text(253)).describe('Its host names, including former ones.'),
    timeZone: timeZone().default('UTC').describe('The time zone of its figures.'),
  }),
  key: (data) => data.appId,
});

export const associationChecks = ['apple-file', 'google-file', 'apple-copy', 'google-copy'] as const;

export const AppAssociationChanged = publicEvent('AppAssociationChanged', {
  description:
    'The regular check of an app found that phones no longer get an association file from one of its hosts, or that they get all of them again. Without these files, links do not open the app.',
  topic: 'app.association',
  data: z.object({
    appId: uuid().describe('The app.'),
    failing: z.boolean().describe('True: a file is missing or wrong. False: all files are well again.'),
    checkedAt: instant().describe('The time of the check.'),
    failed: z
      .array(
        z.object({
          check: z.enum(associationChecks).describe('The file.'),
          host: text(300).describe('The host.'),
          detail: text(1_000).describe('What was found, in a sentence.'),
        }),
      )
      .max(100)
      .describe('The checks that failed.'),
  }),
  key: (data) => data.appId,
});
