// A link as the API shows it: spec 2.3 and 2.4.
import type { App, JsonObject, Link } from '@landfall/contracts';
import type { GatewayConfig } from '../config.ts';

/** The app's host below the link domain, e.g. `demo.localhost:8080`. It serves the app's links whatever domains it has. */
export const subdomainHost = (app: App, config: GatewayConfig): string => `${app.subdomain}.${config.LINK_DOMAIN}`;

/** The host that links are given out with. A custom domain is on the usual port. */
export const linkHost = (app: App, config: GatewayConfig): string => app.primaryDomain ?? subdomainHost(app, config);

/** The host that a landing page's button points to: iOS opens no app for a tap on a link to the page's own host. */
export const openHost = (app: App, config: GatewayConfig): string => `open-${app.subdomain}.${config.LINK_DOMAIN}`;

/** Every host of the app that it has now, with ports. */
export const ownHosts = (app: App, config: GatewayConfig): string[] => [
  subdomainHost(app, config),
  openHost(app, config),
  ...app.domains,
];

/** `http:` or `https:`. */
const scheme = ({ PUBLIC_URL }: GatewayConfig): string => PUBLIC_URL.slice(0, PUBLIC_URL.indexOf(':') + 1);

/** The link on one of its app's hosts. */
export const urlOn = (host: string, link: Link, config: GatewayConfig): string =>
  `${scheme(config)}//${host}/${link.slug}`;

export const linkUrl = (app: App, link: Link, config: GatewayConfig): string =>
  urlOn(linkHost(app, config), link, config);

export const openUrl = (app: App, link: Link, config: GatewayConfig): string =>
  urlOn(openHost(app, config), link, config);

/** A destination's path, without query and fragment. */
export const pathOf = (destination: string): string => destination.split(/[?#]/, 1)[0]!;

/** A destination's query as key-value data; a repeated key counts with its last value. */
export function queryOf(destination: string): Record<string, string> {
  const [beforeFragment = ''] = destination.split('#', 1);
  const at = beforeFragment.indexOf('?');
  if (at < 0) return {};
  // `fromEntries` makes a key of its own also of `__proto__`.
  return Object.fromEntries(new URLSearchParams(beforeFragment.slice(at + 1)));
}

/** The keys that the service adds on creation; they win over the caller's. */
const serviceKeys = (destination: string) => ({
  destination_path: pathOf(destination),
  destination_full: destination,
  created_via: 'sdk',
});

/** `link` of a create. */
export const createdView = (app: App, link: Link, config: GatewayConfig) => ({
  id: link.id,
  slug: link.slug,
  url: linkUrl(app, link, config),
  destination: link.destination,
  metadata: { ...link.metadata, ...serviceKeys(link.destination) },
});

/** `metadata` and `parameters` of a resolve and of a restored link. */
export function linkData(link: Link): { metadata: JsonObject; parameters: JsonObject } {
  const query = queryOf(link.destination);
  const utm = Object.fromEntries(Object.entries(query).filter(([key]) => key.startsWith('utm_')));
  const { destination_path: _, destination_full: __, created_via: ___, ...given } = link.metadata;
  return {
    // The public SDK looks for utm_* in metadata only.
    metadata: { ...utm, ...link.metadata, ...serviceKeys(link.destination) },
    parameters: { ...given, ...query },
  };
}

/** `link` of a resolve. */
export const resolvedView = (link: Link) => ({
  id: link.id,
  slug: link.slug,
  destination_web_url: link.destination,
  destination_path: pathOf(link.destination),
  destination: link.destination,
  ...linkData(link),
});
