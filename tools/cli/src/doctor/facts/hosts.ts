// The host names that must resolve from outside: of the API, two of each app, and the custom domains of apps.
import { randomBytes } from 'node:crypto';
import { bareHost } from './addresses.ts';
import type { Names } from './names.ts';
import type { KnownApp, Site } from './site.ts';

export interface Host {
  /** The host with its port, as in a URL. */
  host: string;
  url: string;
  /** `custom`: with its own record, certificate and entry at the proxy. `ipv6`: the API, with an AAAA record only. */
  kind: 'api' | 'link' | 'open' | 'custom' | 'ipv6';
  app: KnownApp | undefined;
}

/** The number of newest apps that are checked. All apps have the same record in DNS. */
const MOST = 8;
const MOST_CUSTOM = 16;

/** Without an app, the names are made up, which a wildcard record also answers. */
export function hostsOf({ publicUrl, linkDomain, apps = [] }: Pick<Site, 'publicUrl' | 'linkDomain' | 'apps'>): Host[] {
  const { protocol, host } = new URL(publicUrl);
  const probe = `doctor-${randomBytes(3).toString('hex')}`;
  const make = (kind: Host['kind'], host: string, app?: KnownApp) => ({ host, url: `${protocol}//${host}`, kind, app });
  if (linkDomain === undefined) return [make('api', host)];
  const newest = apps.length > 0 ? apps.slice(0, MOST) : [undefined];
  return [
    make('api', host),
    ...newest.flatMap((app) => {
      const name = `${app?.subdomain ?? probe}.${linkDomain}`;
      return [make('link', name, app), make('open', `open-${name}`, app)];
    }),
    ...apps.flatMap((app) => app.domains.map((domain) => make('custom', domain, app))).slice(0, MOST_CUSTOM),
  ];
}

/** Asks each host whose name resolves. The line "names" reports the others. */
export async function askEach<T>(hosts: readonly Host[], names: Names, ask: (host: Host) => Promise<T>): Promise<T[]> {
  const answers = hosts.map(async (host) => {
    const { v4, v6 } = await names.resolve(nameOf(host));
    return v4.length + v6.length === 0 ? [] : [await ask(host)];
  });
  return (await Promise.all(answers)).flat();
}

/** As name servers take it. */
export const nameOf = ({ url }: Pick<Host, 'url'>): string => bareHost(url);
