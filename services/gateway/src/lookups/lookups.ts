// Caches apps, keys, hosts and links, which nearly every request needs.
import type { Bus } from '@landfall/bus';
import {
  type App,
  AppChanged,
  type DataOf,
  FindApp,
  FindHost,
  FindKey,
  FindLink,
  FindLogo,
  FindNotification,
  FindSession,
  FindTeam,
  FindToken,
  KeyChanged,
  type KeyKind,
  type Link,
  LinkEdited,
  PersonChanged,
  type ReplyOf,
  ResolveLink,
  type Team,
  TeamChanged,
  TokenRevoked,
} from '@landfall/contracts';
import { createCache } from './cache.ts';
import { plainSlug } from './plain-slug.ts';
import { createWatchers, type Watchers } from './watchers.ts';

export interface KnownKey {
  keyId: string;
  kind: KeyKind;
  /** The key is refused from this time on. Null when it does not expire. */
  expiresAt: string | null;
  app: App;
  /** The sealed secrets that sign the identity of the app's users. The caller must check the expiry of each. */
  identitySecrets: ReplyOf<typeof FindKey>['identitySecrets'];
}

export type KnownSession = ReplyOf<typeof FindSession>;
export type KnownToken = ReplyOf<typeof FindToken>;

/**
 * Each look-up returns null when the thing does not exist. It rejects with Busy or NoAnswer when no service answers.
 */
export interface Lookups {
  /** Finds an SDK key by its SHA-256. The caller must check its expiry. */
  key(hash: string): Promise<KnownKey | null>;
  /** Finds a management token by its SHA-256. The caller must check its expiry. */
  token(hash: string): Promise<KnownToken | null>;
  /** Finds a session by the SHA-256 of its id. The caller must check its end. */
  session(hash: string): Promise<KnownSession | null>;
  /** Finds a session without the cache. */
  sessionAnew(hash: string): Promise<KnownSession | null>;
  team(teamId: string): Promise<Team | null>;
  /**
   * Removes the sessions and tokens of a person. This gateway has just learned of the person's change from an answer.
   */
  forgetPerson(userId: string): void;
  /** Does the same for an app, a team or a link. */
  forgetApp(appId: string): void;
  forgetTeam(teamId: string): void;
  forgetLink(link: Pick<Link, 'id' | 'appId' | 'slug'>): void;
  /**
   * Calls `seen` when one of these people, tokens, apps or teams may have changed. The caches have forgotten it by then.
   */
  watch: Watchers['watch'];
  /** Keeps a link that this gateway has just made, for taps while no service answers. */
  made(app: App, link: Link): void;
  app(appId: string): Promise<App | null>;
  /** Finds the app of a subdomain of the link domain, or of a whole host name. */
  host(host: string): Promise<App | null>;
  link(linkId: string): Promise<Link | null>;
  /** Finds a link by its slug, also percent-encoded, in capitals or between punctuation. */
  slug(appId: string, slug: string): Promise<Link | null>;
  /** Finds a logo by its SHA-256. It never changes. */
  logo(hash: string): Promise<Buffer | null>;
  /** Finds the app of a notification, which never changes. */
  notification(notificationId: string): Promise<{ appId: string } | null>;
}

/** The service never makes longer slugs, so they are not looked up. */
const MAX_SLUG = 100;
/** The longest name in DNS. */
const MAX_HOST = 253;

/** The sizes of an app, and of a link without its texts, about. */
const APP_BYTES = 4_000;
const LINK_BYTES = 700;

export function createLookups(bus: Bus): Lookups {
  const keys = createCache<KnownKey>({
    max: 10_000,
    load: async (hash) => reply(await bus.ask(FindKey, { hash })),
    tagsOf: (known) => [known.app.id],
  });
  const tokens = createCache<KnownToken>({
    max: 10_000,
    load: async (hash) => reply(await bus.ask(FindToken, { hash })),
    tagsOf: ({ person }) => (person ? [person.userId] : []),
  });
  const sessions = createCache<KnownSession>({
    max: 10_000,
    load: async (hash) => reply(await bus.ask(FindSession, { hash })),
    tagsOf: ({ userId }) => [userId],
  });
  const teams = createCache<Team>({
    max: 1_000,
    load: async (teamId) => reply(await bus.ask(FindTeam, { teamId }))?.team ?? null,
    tagsOf: () => [],
  });
  const apps = createCache<App>({
    max: 10_000,
    load: async (appId) => reply(await bus.ask(FindApp, { appId }))?.app ?? null,
    tagsOf: (app) => [app.id],
  });
  const hosts = createCache<App>({
    max: 10_000,
    load: async (host) => reply(await bus.ask(FindHost, { host }))?.app ?? null,
    tagsOf: (app) => [app.id],
    sizeOf: () => APP_BYTES,
  });
  const links = createCache<Link>({
    max: 20_000,
    load: async (linkId) => reply(await bus.ask(FindLink, { linkId }))?.link ?? null,
    tagsOf: () => [],
  });
  const slugs = createCache<Link>({
    // About 4 KB each with what is worked out of them, so 40 MB.
    max: 10_000,
    async load(key) {
      const [appId = '', slug = ''] = key.split('/');
      return reply(await bus.ask(ResolveLink, { appId, slug }))?.link ?? null;
    },
    tagsOf: () => [],
    sizeOf: ({ destination, metadata }) => LINK_BYTES + destination.length + JSON.stringify(metadata).length,
  });
  const notifications = createCache<{ appId: string }>({
    max: 1_000,
    async load(notificationId) {
      const found = reply(await bus.ask(FindNotification, { notificationId }));
      return found && { appId: found.notification.appId };
    },
    tagsOf: () => [],
  });

  const logos = createCache<Buffer>({
    // At most 15 MB: a logo has less than 100 KB, and most have 10 KB.
    max: 150,
    async load(hash) {
      const found = reply(await bus.ask(FindLogo, { hash }));
      return found && Buffer.from(found.image, 'base64');
    },
    tagsOf: () => [],
  });

  const watchers = createWatchers();
  const forgetApp = (appId: string) => {
    for (const cache of [keys, apps, hosts]) cache.forgetTag(appId);
    watchers.changed(appId);
  };
  const forgetPerson = (userId: string) => {
    for (const cache of [sessions, tokens]) cache.forgetTag(userId);
    watchers.changed(userId);
  };
  const forgetTeam = (teamId: string) => {
    teams.forget(teamId);
    watchers.changed(teamId);
  };
  const forgetToken = ({ tokenId, hash }: DataOf<typeof TokenRevoked>) => {
    tokens.forget(hash);
    watchers.changed(tokenId);
  };
  const doubt = (...caches: { doubt(): void }[]) => {
    for (const cache of caches) cache.doubt();
    watchers.doubt();
  };
  bus.watch(
    AppChanged,
    ({ appId, hosts: names }) => {
      for (const name of names) hosts.forget(name);
      forgetApp(appId);
    },
    { onGap: () => doubt(keys, apps, hosts) },
  );
  bus.watch(KeyChanged, ({ hash }) => keys.forget(hash), { onGap: () => keys.doubt() });
  bus.watch(TokenRevoked, forgetToken, { onGap: () => doubt(tokens) });
  bus.watch(PersonChanged, ({ userId }) => forgetPerson(userId), { onGap: () => doubt(sessions, tokens) });
  bus.watch(TeamChanged, ({ teamId }) => forgetTeam(teamId), { onGap: () => doubt(teams) });
  const forgetLink = ({ id, appId, slug }: Pick<Link, 'id' | 'appId' | 'slug'>) => {
    links.forget(id);
    slugs.forget(`${appId}/${slug}`);
  };
  bus.watch(LinkEdited, ({ linkId: id, appId, slug }) => forgetLink({ id, appId, slug }), {
    onGap() {
      for (const cache of [links, slugs]) cache.doubt();
    },
  });

  return {
    key: keys.get,
    token: tokens.get,
    session: sessions.get,
    async sessionAnew(hash) {
      sessions.forget(hash);
      return sessions.get(hash);
    },
    team: teams.get,
    forgetPerson,
    forgetApp,
    forgetTeam,
    forgetLink,
    watch: watchers.watch,
    made(app, link) {
      // A repeated call may return a link that was edited since.
      if (link.version !== 1) return;
      for (const name of [app.subdomain, ...app.domains]) hosts.learn(name, app);
      slugs.learn(`${link.appId}/${link.slug}`, link);
    },
    app: apps.get,
    host: async (host) => (host.length > MAX_HOST ? null : hosts.get(host)),
    link: links.get,
    notification: notifications.get,
    logo: logos.get,
    async slug(appId, given) {
      const slug = plainSlug(given);
      // A slash parts the key, and no text has a NUL.
      return slug.length > MAX_SLUG || /[/\0]/.test(slug) ? null : slugs.get(`${appId}/${slug}`);
    },
  };
}

/** Every refusal of a look-up means that the thing does not exist. */
const reply = <R>(answer: { ok: true; reply: R } | { ok: false }): R | null => (answer.ok ? answer.reply : null);
