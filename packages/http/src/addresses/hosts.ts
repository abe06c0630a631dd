// Maps host names to apps, and recognises our own host names.
import { domainToASCII } from 'node:url';
import type { HttpConfig } from '../config.ts';

export type Hosts = ReturnType<typeof createHosts>;

/** The last host and its plain name: a request asks several times for its own. */
let last = { host: '', plain: '' };

/** Returns the name as domains are stored: in lower case and ASCII, without a port and a final dot. */
function plainHost(host: string): string {
  if (host === last.host) return last.plain;
  const name = host.replace(/:\d*$/, '');
  const ascii = /^[\w.:[\]-]*$/.test(name) ? name : domainToASCII(name);
  last = { host, plain: (ascii === '' ? name : ascii).toLowerCase().replace(/\.$/, '') };
  return last.plain;
}

const isAddress = (plain: string): boolean => /^[\d.]+$/.test(plain) || plain.startsWith('[');
const isLoopback = (plain: string): boolean => /^127\./.test(plain) || plain === '[::1]';

const OPEN = 'open-';

type HostConfig = Pick<HttpConfig, 'PUBLIC_URL' | 'LINK_DOMAIN' | 'API_HOSTS'> &
  Partial<Pick<HttpConfig, 'IPV6_HOST' | 'SIMULATED_APP' | 'SIMULATED_APP_HOST'>>;

export function createHosts(config: HostConfig) {
  const linkDomain = plainHost(config.LINK_DOMAIN);
  const suffix = `.${linkDomain}`;
  const publicUrl = new URL(config.PUBLIC_URL);
  const overIpv6 = config.IPV6_HOST === undefined ? [] : [plainHost(config.IPV6_HOST)];
  const api = new Set([plainHost(publicUrl.host), 'localhost', ...config.API_HOSTS, ...overIpv6]);
  const { SIMULATED_APP, SIMULATED_APP_HOST } = config;
  const simulated =
    SIMULATED_APP === undefined || SIMULATED_APP_HOST === undefined ? null : plainHost(SIMULATED_APP_HOST);
  const own = new Set([linkDomain, ...api]);

  /** True when the name is the API's own, or an address. No app has it. */
  function isOwn(host: string): boolean {
    const plain = plainHost(host);
    return own.has(plain) || isAddress(plain);
  }

  return {
    /**
     * Returns the name to ask the account service for: the subdomain of the link domain (`demo`, also for `open-demo`),
     * or the whole name of a possible custom domain. Null for a name that no app can have: a bare name, and several
     * labels below the link domain, which must not count as a custom domain.
     */
    appLabel(host: string): string | null {
      const plain = plainHost(host);
      if (!plain.endsWith(suffix)) return plain.includes('.') ? plain : null;
      const label = plain.slice(0, -suffix.length);
      if (label.includes('.')) return null;
      return label.startsWith(OPEN) ? label.slice(OPEN.length) : label;
    },
    isOpen(host: string): boolean {
      const plain = plainHost(host);
      return plain.startsWith(OPEN) && plain.endsWith(suffix);
    },
    isOwn,
    /** True when the name is one more link host of the simulated app. It may be the API's name, too. */
    isSimulatedApp: (host: string): boolean => simulated !== null && plainHost(host) === simulated,
    /** True when the API, its documents and metrics are served under the name. No page of other people has it. */
    isApi(host: string): boolean {
      const plain = plainHost(host);
      if (api.has(plain)) return true;
      // Without https an address needs no certificate, and no page of other people has it as its host.
      return isAddress(plain) && (publicUrl.protocol === 'http:' || isLoopback(plain));
    },
    /** True when the name belongs to the installation: its own, or one below the link domain, which apps get. */
    isOurs: (host: string): boolean => isOwn(host) || plainHost(host).endsWith(suffix),
  };
}
