// The host names that must resolve from outside: the name of the API, two names for each app, and the custom domains of
// apps.
import { randomBytes } from 'node:crypto';
import { bareHost } from './addresses.ts';
import type { KnownApp, Site } from './site.ts';

export interface Host {
  /** The host with its port, as in a URL. */
  host: string;
  url: string;
  /**
   * `custom`: a host with its own DNS record, certificate and entry at the proxy. `ipv6`: the API on a host with an AAAA
   * record only.
   */
  kind: 'api' | 'link' | 'open' | 'custom' | 'ipv6';
  app: KnownApp | undefined;
}

/** The number of newest apps that are checked. All apps have the same record in DNS. */
const MOST = 8;
/** The number of custom domains that are checked. */
const MOST_CUSTOM = 16;

/** Returns the hosts to check. Without an app, returns made-up names, which a wildcard record also answers. */
export function hostsOf({ publicUrl, linkDomain, apps = [] }: Pick<Site, 'publicUrl' | 'linkDomain' | 'apps'>): Host[] {
  const { protocol, host } = new URL(publicUrl);
  const probe = `doctor-${randomBytes(3).toString('hex')}`;
  const labels =
    apps.length > 0
      ? apps.slice(0, MOST).map((app) => ({ label: app.subdomain, app }))
      : [{ label: probe, app: undefined }];
  const make = (kind: Host['kind'], name: string, app?: KnownApp): Host => ({
    host: name,
    url: `${protocol}//${name}`,
    kind,
    app,
  });
  if (linkDomain === undefined) return [make('api', host)];
  return [
    make('api', host),
    ...labels.flatMap(({ label, app }) => [
      make('link', `${label}.${linkDomain}`, app),
      make('open', `open-${label}.${linkDomain}`, app),
    ]),
    ...apps.flatMap((app) => app.domains.map((domain) => make('custom', domain, app))).slice(0, MOST_CUSTOM),
  ];
}

/** Returns the host name to ask name servers for. */
export const nameOf = ({ url }: Pick<Host, 'url'>): string => bareHost(url);
