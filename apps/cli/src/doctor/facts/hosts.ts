// The host names that must be found from outside: the API's, two for each app, and the custom domains that apps have.
import { randomBytes } from 'node:crypto';
import { bareHost } from './addresses.ts';
import type { KnownApp, Site } from './site.ts';

export interface Host {
  /** With the port, as in a URL. */
  host: string;
  url: string;
  /** `custom`: a record, a certificate and a place at the proxy of its own. */
  kind: 'api' | 'link' | 'open' | 'custom';
  app: KnownApp | undefined;
}

/** Apps that are looked at, the newest first: all of them have the same record in DNS. */
const MOST = 8;
/** Custom domains that are looked at. */
const MOST_CUSTOM = 16;

/** Without an app, names that a wildcard record answers as well. */
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

/** For name servers. */
export const nameOf = ({ url }: Pick<Host, 'url'>): string => bareHost(url);
