// What the gateway needs to know of apps, keys, hosts and links for nearly every request, kept close.
import type { Bus } from '@landfall/bus';
import {
  type App,
  AppChanged,
  FindApp,
  FindHost,
  FindKey,
  FindLink,
  FindToken,
  KeyChanged,
  type Link,
  LinkEdited,
  ResolveLink,
} from '@landfall/contracts';
import { createCache } from './cache.ts';

export interface KnownKey {
  keyId: string;
  app: App;
}

/** Each look-up gives null when there is no such thing, and rejects with Busy or NoAnswer when nobody knows. */
export interface Lookups {
  /** A live SDK key by its SHA-256. */
  key(hash: string): Promise<KnownKey | null>;
  /** A management token by its SHA-256. */
  token(hash: string): Promise<{ tokenId: string } | null>;
  app(appId: string): Promise<App | null>;
  /** The app of a subdomain of the link domain, or of a whole host name. */
  host(host: string): Promise<App | null>;
  link(linkId: string): Promise<Link | null>;
  slug(appId: string, slug: string): Promise<Link | null>;
}

/** Longer slugs than the service ever makes are not worth a question. */
const MAX_SLUG = 100;
/** The longest name that DNS has. */
const MAX_HOST = 253;

export function createLookups(bus: Bus): Lookups {
  const keys = createCache<KnownKey>({
    max: 10_000,
    load: async (hash) => reply(await bus.ask(FindKey, { hash })),
    tagsOf: (known) => [known.app.id],
  });
  const tokens = createCache<{ tokenId: string }>({
    max: 1_000,
    load: async (hash) => reply(await bus.ask(FindToken, { hash })),
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
  });
  const links = createCache<Link>({
    max: 20_000,
    load: async (linkId) => reply(await bus.ask(FindLink, { linkId }))?.link ?? null,
    tagsOf: () => [],
  });
  const slugs = createCache<Link>({
    max: 50_000,
    async load(key) {
      const [appId = '', slug = ''] = key.split('/');
      return reply(await bus.ask(ResolveLink, { appId, slug }))?.link ?? null;
    },
    tagsOf: () => [],
  });

  bus.watch(
    AppChanged,
    ({ appId, hosts: names }) => {
      for (const cache of [keys, apps, hosts]) cache.forgetTag(appId);
      for (const name of names) hosts.forget(name);
    },
    { onGap: () => doubt(keys, apps, hosts) },
  );
  bus.watch(KeyChanged, ({ hash }) => keys.forget(hash), { onGap: () => doubt(keys) });
  const forgetLink = (link: { linkId: string; appId: string; slug: string }) => {
    links.forget(link.linkId);
    slugs.forget(`${link.appId}/${link.slug}`);
  };
  bus.watch(LinkEdited, forgetLink, { onGap: () => doubt(links, slugs) });

  return {
    key: keys.get,
    token: tokens.get,
    app: apps.get,
    host: async (host) => (host.length > MAX_HOST ? null : hosts.get(host)),
    link: links.get,
    slug: async (appId, slug) => (slug.length > MAX_SLUG || slug.includes('/') ? null : slugs.get(`${appId}/${slug}`)),
  };
}

function doubt(...caches: { doubt(): void }[]): void {
  for (const cache of caches) cache.doubt();
}

/** Every refusal of a look-up means that there is no such thing. */
const reply = <R>(answer: { ok: true; reply: R } | { ok: false }): R | null => (answer.ok ? answer.reply : null);
