// Formats links for replies: spec 2.3 and 2.4.

import type { App, JsonObject, Link } from '@landfall/contracts';
import type { HttpConfig } from '@landfall/http';
import { splitDestination } from './link.ts';
import { utmOfLink } from './utm.ts';

/** The app's host below the link domain. It serves the app's links even with custom domains. */
export const subdomainHost = (app: App, config: HttpConfig): string => `${app.subdomain}.${config.LINK_DOMAIN}`;

/** Returns the host that phones find, when the app is the simulated one and has such a host. */
const simulatedHost = (app: App, { SIMULATED_APP, SIMULATED_APP_HOST }: HttpConfig): string | null =>
  app.id === SIMULATED_APP ? (SIMULATED_APP_HOST ?? null) : null;

/** Returns the host of new links. A custom domain uses the standard port. */
export const linkHost = (app: App, config: HttpConfig): string =>
  app.primaryDomain ?? simulatedHost(app, config) ?? subdomainHost(app, config);

/** Returns the host for the button of a landing page. iOS opens no app for a link to the page's own host. */
export const openHost = (app: App, config: HttpConfig): string => `open-${app.subdomain}.${config.LINK_DOMAIN}`;

/** Returns all current hosts of the app, with ports. */
export function ownHosts(app: App, config: HttpConfig): string[] {
  const simulated = simulatedHost(app, config);
  const hosts = [subdomainHost(app, config), openHost(app, config), ...app.domains];
  return simulated === null ? hosts : [...hosts, simulated];
}

const scheme = ({ PUBLIC_URL }: HttpConfig): string => PUBLIC_URL.slice(0, PUBLIC_URL.indexOf(':') + 1);

/** Returns the URL of the link on one of its app's hosts. */
export const urlOn = (host: string, link: Link, config: HttpConfig): string =>
  `${scheme(config)}//${host}/${link.slug}`;

export const linkUrl = (app: App, link: Link, config: HttpConfig): string => urlOn(linkHost(app, config), link, config);

/** Returns the path of a destination, without query and fragment. */
export const pathOf = (destination: string): string => splitDestination(destination).path;

/** Returns the query of a destination as key-value data. The last value of a repeated key counts. */
export const queryOf = (destination: string): Record<string, string> =>
  // `fromEntries` stores even `__proto__` as an own key.
  Object.fromEntries(new URLSearchParams(splitDestination(destination).query));

/** Returns the keys that the service adds at creation. They override the caller's. */
const serviceKeys = (destination: string) => ({
  destination_path: pathOf(destination),
  destination_full: destination,
  created_via: 'sdk',
});

export const createdView = (app: App, link: Link, config: HttpConfig) => ({
  id: link.id,
  slug: link.slug,
  url: linkUrl(app, link, config),
  destination: link.destination,
  metadata: { ...link.metadata, ...serviceKeys(link.destination) },
});

/** Returns the `metadata` and `parameters` of a resolved or restored link. */
export function linkData(link: Link): { metadata: JsonObject; parameters: JsonObject } {
  const query = queryOf(link.destination);
  const { destination_path: _, destination_full: __, created_via: ___, ...given } = link.metadata;
  return {
    // The public SDK reads utm_* only from the metadata.
    metadata: { ...Object.fromEntries(utmOfLink(link)), ...link.metadata, ...serviceKeys(link.destination) },
    parameters: { ...given, ...query },
  };
}

export const resolvedView = (link: Link) => ({
  id: link.id,
  slug: link.slug,
  destination_web_url: link.destination,
  destination_path: pathOf(link.destination),
  destination: link.destination,
  ...linkData(link),
});
