// Caches apps, keys, hosts and links, which nearly every request needs.
import type { Bus } from '@landfall/bus';
import {
  type App,
  AppChanged,
  FindApp,
  FindHost,
  FindKey,
  FindLink,
  FindLogo,
  KeyChanged,
  type Link,
  LinkEdited,
  type ReplyOf,
  ResolveLink,
} from '@landfall/contracts';
import { createCache, forgetAt } from '@landfall/http';
import { slugsToFind } from './plain-slug.ts';

/** A key with its app. The caller must check the expiry of the key, and of each secret that signs identities. */
export type KnownKey = ReplyOf<typeof FindKey>;

/** The key of a call. A call of the simulated app has none, so its id is null. */
export type CallingKey = Omit<KnownKey, 'keyId'> & { readonly keyId: string | null };

export type Lookups = ReturnType<typeof createLookups>;

/** The longest name in DNS. */
export const MAX_HOST = 253;

/** The sizes of an app, and of a link without its texts, about. */
const APP_BYTES = 4_000;
const LINK_BYTES = 700;

/** Each look-up returns null when there is no such thing. Rejects with Busy or NoAnswer. */
export function createLookups(bus: Bus) {
  const keys = createCache<KnownKey>({
    max: 10_000,
    load: async (hash) => found(await bus.ask(FindKey, { hash })),
    tagsOf: (known) => [known.app.id],
  });
  const apps = createCache<App>({
    max: 10_000,
    load: async (appId) => found(await bus.ask(FindApp, { appId }))?.app ?? null,
    tagsOf: (app) => [app.id],
  });
  const hosts = createCache<App>({
    max: 10_000,
    load: async (host) => found(await bus.ask(FindHost, { host }))?.app ?? null,
    tagsOf: (app) => [app.id],
    sizeOf: () => APP_BYTES,
  });
  const links = createCache<Link>({
    max: 20_000,
    load: async (linkId) => found(await bus.ask(FindLink, { linkId }))?.link ?? null,
  });
  const slugs = createCache<Link>({
    // About 4 KB each with what is worked out of them, so 40 MB.
    max: 10_000,
    async load(key) {
      const [appId = '', slug = ''] = key.split('/');
      return found(await bus.ask(ResolveLink, { appId, slug }))?.link ?? null;
    },
    sizeOf: ({ destination, metadata }) => LINK_BYTES + destination.length + JSON.stringify(metadata).length,
  });
  const logos = createCache<Buffer>({
    // At most 15 MB: a logo has less than 100 KB, and most have 10 KB.
    max: 150,
    async load(hash) {
      const logo = found(await bus.ask(FindLogo, { hash }));
      return logo && Buffer.from(logo.image, 'base64');
    },
  });

  forgetAt(bus, AppChanged, [keys, apps, hosts], ({ appId, hosts: names }) => {
    for (const name of names) hosts.forget(name);
    for (const cache of [keys, apps, hosts]) cache.forgetTag(appId);
  });
  forgetAt(bus, KeyChanged, [keys], ({ hash }) => keys.forget(hash));
  /** Removes a link. Also called when this gateway learns of its change from an answer. */
  const forgetLink = ({ id, appId, slug }: Pick<Link, 'id' | 'appId' | 'slug'>) => {
    links.forget(id);
    slugs.forget(`${appId}/${slug}`);
  };
  forgetAt(bus, LinkEdited, [links, slugs], ({ linkId: id, ...link }) => forgetLink({ id, ...link }));

  return {
    /** Finds an SDK key by its SHA-256. The caller must check its expiry. */
    key: keys.get,
    /** Keeps a link that this gateway has just made, for taps while no service answers. */
    made(app: App, link: Link): void {
      // A repeated call may return a link that was edited since.
      if (link.version !== 1) return;
      for (const name of [app.subdomain, ...app.domains]) hosts.learn(name, app);
      slugs.learn(`${link.appId}/${link.slug}`, link);
    },
    forgetLink,
    app: apps.get,
    link: links.get,
    /** Finds the app of a subdomain of the link domain, or of a whole host name. */
    host: async (host: string): Promise<App | null> => (host.length > MAX_HOST ? null : hosts.get(host)),
    /** Finds a logo by its SHA-256. It never changes. */
    logo: logos.get,
    /** Finds a link by its slug, also percent-encoded, in capitals or between punctuation. */
    async slug(appId: string, given: string): Promise<Link | null> {
      for (const slug of slugsToFind(given)) {
        const link = await slugs.get(`${appId}/${slug}`);
        if (link) return link;
      }
      return null;
    },
  };
}

/** Every refusal of a look-up means that the thing does not exist. */
const found = <R>(answer: { ok: true; reply: R } | { ok: false }): R | null => (answer.ok ? answer.reply : null);
