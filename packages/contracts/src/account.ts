// The account service: apps, their host names, their keys, their plans.
import { z } from 'zod';
import { event, request } from './define.ts';
import { cursor, hash, instant, page, text, uuid } from './fields.ts';
import { MatchingSettings } from './matching.ts';

const queries = 'account.queries';
const commands = 'account.commands';

/** A DNS label, lower case. */
export const subdomain = () =>
  z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a DNS label: a-z, 0-9 and "-", at most 63 characters');

const webUrl = () =>
  text(2048)
    .regex(/^https?:\/\/[^\s/]\S*$/i, 'must be an http or https URL')
    .meta({ format: 'uri' })
    .pipe(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }));

export const IosSettings = z.object({
  /** The number in the App Store URL. */
  storeId: z
    .string()
    .regex(/^[0-9]{1,20}$/, 'must be the number of the App Store page')
    .nullable()
    .default(null),
  teamId: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must be 10 letters and digits')
    .nullable()
    .default(null),
  bundleId: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle identifier')
    .nullable()
    .default(null),
  /** Instead of the App Store page. */
  storeUrl: webUrl().nullable().default(null),
});

export const AndroidSettings = z.object({
  package: z
    .string()
    .max(150)
    .regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, 'must be an application id such as com.example.app')
    .nullable()
    .default(null),
  /** SHA-256 fingerprints of the signing certificates: upper case hex pairs with colons. */
  certificates: z
    .array(z.string().regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/, 'must be 32 upper case hex pairs with colons'))
    .max(20)
    .default([]),
  /** Instead of the Play page. */
  storeUrl: webUrl().nullable().default(null),
  /** Phones without Google Play are sent here, and never to Play. */
  huaweiStoreUrl: webUrl().nullable().default(null),
  amazonStoreUrl: webUrl().nullable().default(null),
});

/** What an app's owner sets. */
export const AppSettings = z.object({
  ios: IosSettings.prefault({}),
  android: AndroidSettings.prefault({}),
  /** Where a person goes whose device has no app for it; the destination is appended to it. */
  webFallbackUrl: webUrl().nullable().default(null),
  matching: MatchingSettings.prefault({}),
});
export type AppSettings = z.output<typeof AppSettings>;

/** A change of some settings; what is left out stays as it is. */
export const AppSettingsChange = z.object({
  ios: partial(IosSettings).optional(),
  android: partial(AndroidSettings).optional(),
  webFallbackUrl: webUrl().nullable().optional(),
  matching: partial(MatchingSettings).optional(),
});

/** Every field optional and without its default, so that a change holds only what was sent. */
function partial<T extends z.ZodRawShape>(schema: z.ZodObject<T>) {
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType)).optional(),
    ]),
  );
  return z.object(shape as unknown as { [K in keyof T]: z.ZodOptional<T[K] extends z.ZodDefault<infer I> ? I : T[K]> });
}

export const Plan = z.object({
  name: text(100).min(1),
  /** Links that may be generated in a calendar month (UTC); null: no limit. */
  linksPerMonth: z.int().min(0).max(2_147_483_647).nullable(),
});
export type Plan = z.output<typeof Plan>;

export const App = AppSettings.extend({
  id: uuid(),
  name: text(200).min(1),
  /** The app's links live on `<subdomain>.<LINK_DOMAIN>`, its buttons point to `open-<subdomain>.<LINK_DOMAIN>`. */
  subdomain: subdomain(),
  plan: Plan,
  version: z.int(),
  createdAt: instant(),
});
export type App = z.output<typeof App>;

export const Key = z.object({
  id: uuid(),
  appId: uuid(),
  label: text(200),
  hint: text(20),
  createdAt: instant(),
  revokedAt: instant().nullable(),
  lastUsedAt: instant().nullable(),
});
export type Key = z.output<typeof Key>;

const APP_NOT_FOUND = z.object({});

export const FindKey = request({
  kind: 'query',
  name: 'FindKey',
  topic: queries,
  input: z.object({ hash: hash() }),
  reply: z.object({ keyId: uuid(), app: App }),
  refusals: { KEY_UNKNOWN: z.object({}) },
  key: (input) => input.hash,
});

export const FindToken = request({
  kind: 'query',
  name: 'FindToken',
  topic: queries,
  input: z.object({ hash: hash() }),
  reply: z.object({ tokenId: uuid() }),
  refusals: { TOKEN_UNKNOWN: z.object({}) },
  key: (input) => input.hash,
});

export const FindApp = request({
  kind: 'query',
  name: 'FindApp',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const FindHost = request({
  kind: 'query',
  name: 'FindHost',
  topic: queries,
  /** A subdomain of LINK_DOMAIN (no dot), or a whole host name, lower case, without a port. */
  input: z.object({ host: text(253) }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.host,
});

export const ListApps = request({
  kind: 'query',
  name: 'ListApps',
  topic: queries,
  input: z.object(page),
  reply: z.object({ apps: z.array(App), next: cursor().nullable() }),
  refusals: {},
  key: (_, id) => id,
});

export const CreateApp = request({
  kind: 'command',
  name: 'CreateApp',
  topic: commands,
  input: z.object({ name: App.shape.name, subdomain: subdomain(), settings: AppSettings }),
  reply: z.object({ app: App }),
  refusals: { SUBDOMAIN_TAKEN: z.object({}), SUBDOMAIN_RESERVED: z.object({}) },
  key: (input) => input.subdomain,
});

export const UpdateApp = request({
  kind: 'command',
  name: 'UpdateApp',
  topic: commands,
  input: z.object({
    appId: uuid(),
    name: App.shape.name.optional(),
    subdomain: subdomain().optional(),
    settings: AppSettingsChange,
  }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND, SUBDOMAIN_TAKEN: z.object({}), SUBDOMAIN_RESERVED: z.object({}) },
  key: (input) => input.appId,
});

export const SetPlan = request({
  kind: 'command',
  name: 'SetPlan',
  topic: commands,
  input: z.object({ appId: uuid(), plan: Plan }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const CreateKey = request({
  kind: 'command',
  name: 'CreateKey',
  topic: commands,
  /** The key was made by the asker, who shows it once; only its SHA-256 travels. */
  input: z.object({ appId: uuid(), hash: hash(), hint: text(20), label: text(200) }),
  reply: z.object({ key: Key }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const ListKeys = request({
  kind: 'query',
  name: 'ListKeys',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ keys: z.array(Key) }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const RevokeKey = request({
  kind: 'command',
  name: 'RevokeKey',
  topic: commands,
  input: z.object({ appId: uuid(), keyId: uuid() }),
  reply: z.object({ key: Key }),
  refusals: { KEY_NOT_FOUND: z.object({}) },
  key: (input) => input.appId,
});

export const CreateToken = request({
  kind: 'command',
  name: 'CreateToken',
  topic: commands,
  input: z.object({ hash: hash(), label: text(200) }),
  reply: z.object({ tokenId: uuid() }),
  refusals: {},
  key: (input) => input.hash,
});

/** An app, its hosts or its plan changed: whoever keeps a copy drops it. */
export const AppChanged = event({
  name: 'AppChanged',
  topic: 'app.changed',
  data: z.object({ appId: uuid(), version: z.int(), hosts: z.array(text(253)) }),
  key: (data) => data.appId,
});

/** A key was made or revoked: whoever remembers it, or remembers that there is no such key, forgets. */
export const KeyChanged = event({
  name: 'KeyChanged',
  topic: 'key.changed',
  data: z.object({ appId: uuid(), keyId: uuid(), hash: hash(), revoked: z.boolean() }),
  key: (data) => data.keyId,
});

/** A key was used. Told at most once a minute for each key and gateway. */
export const KeyUsed = event({
  name: 'KeyUsed',
  topic: 'key.used',
  data: z.object({ keyId: uuid() }),
  key: (data) => data.keyId,
});
