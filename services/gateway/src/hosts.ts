// Host names: which app's they are, or whether they are ours.
import type { GatewayConfig } from './config.ts';

export interface Hosts {
  /**
   * What to ask the account service for: the subdomain of the link domain (`demo`, also for `open-demo`), or the whole
   * name of what may be a custom domain. Null for what can be no app's: a bare name, and several labels below the link
   * domain, which must not be taken for a custom domain.
   */
  appLabel(host: string): string | null;
  /** Whether the name is an app's open host. */
  isOpen(host: string): boolean;
  /** Whether the name is the API's own, or an address: no app's. */
  isOwn(host: string): boolean;
  /** Whether a name belongs to the installation: its own, or one below the link domain, which is given out as a subdomain. */
  isOurs(host: string): boolean;
}

/** Lower case, without a port and without the dot at the end that a resolver may add. */
const plainHost = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

const OPEN = 'open-';

export function createHosts(config: Pick<GatewayConfig, 'PUBLIC_URL' | 'LINK_DOMAIN'>): Hosts {
  const linkDomain = plainHost(config.LINK_DOMAIN);
  const suffix = `.${linkDomain}`;
  const own = new Set([linkDomain, plainHost(new URL(config.PUBLIC_URL).host), 'localhost']);
  function isOwn(host: string): boolean {
    const plain = plainHost(host);
    return own.has(plain) || /^[\d.]+$/.test(plain) || plain.startsWith('[');
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
    isOurs: (host) => isOwn(host) || plainHost(host).endsWith(suffix),
  };
}
