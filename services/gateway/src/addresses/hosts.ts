// Host names: which app's they are, or whether they are ours.
import type { GatewayConfig } from '../config.ts';

export interface Hosts {
  /**
   * The name to ask the account service for: the subdomain of the link domain (`demo`, also for `open-demo`), or the
   * whole name if it can be a custom domain. Null for a name that no app can have: a bare name, or several labels below
   * the link domain, which must not count as a custom domain.
   */
  appLabel(host: string): string | null;
  /** True when the name is an app's open host. */
  isOpen(host: string): boolean;
  /** True when the name is the API's own, or an address. No app has such a name. */
  isOwn(host: string): boolean;
  /** True when the API, its documents and metrics are served under the name. No link page has such a name. */
  isApi(host: string): boolean;
  /**
   * True when a name belongs to the installation: its own name, or one below the link domain, which is given out as a
   * subdomain.
   */
  isOurs(host: string): boolean;
}

/** Lower case, without a port and without the dot at the end that a resolver may add. */
const plainHost = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

const isAddress = (plain: string): boolean => /^[\d.]+$/.test(plain) || plain.startsWith('[');
const isLoopback = (plain: string): boolean => /^127\./.test(plain) || plain === '[::1]';

const OPEN = 'open-';

export function createHosts(config: Pick<GatewayConfig, 'PUBLIC_URL' | 'LINK_DOMAIN' | 'API_HOSTS'>): Hosts {
  const linkDomain = plainHost(config.LINK_DOMAIN);
  const suffix = `.${linkDomain}`;
  const publicUrl = new URL(config.PUBLIC_URL);
  const api = new Set([plainHost(publicUrl.host), 'localhost', ...config.API_HOSTS]);
  const own = new Set([linkDomain, ...api]);
  function isOwn(host: string): boolean {
    const plain = plainHost(host);
    return own.has(plain) || isAddress(plain);
  }

  return {
    appLabel(host) {
      const plain = plainHost(host);
      if (!plain.endsWith(suffix)) return plain.includes('.') ? plain : null;
      const label = plain.slice(0, -suffix.length);
      if (label.includes('.')) return null;
      return label.startsWith(OPEN) ? label.slice(OPEN.length) : label;
    },
    isOpen(host) {
      const plain = plainHost(host);
      return plain.startsWith(OPEN) && plain.endsWith(suffix);
    },
    isOwn,
    isApi(host) {
      const plain = plainHost(host);
      if (api.has(plain)) return true;
      // Without https there is no certificate that an address could lack, and no page of somebody else under one.
      return isAddress(plain) && (publicUrl.protocol === 'http:' || isLoopback(plain));
    },
    isOurs: (host) => isOwn(host) || plainHost(host).endsWith(suffix),
  };
}
