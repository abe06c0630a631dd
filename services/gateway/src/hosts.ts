// Host names: which app's they are, or whether they are ours.
import type { GatewayConfig } from './config.ts';

/** Lower case, without a port and without the dot at the end that a resolver may add. */
const plainHost = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/**
 * What to ask the account service for: the subdomain of the link domain (`demo`, also for `open-demo`), or the whole
 * name of what may be a custom domain.
 */
export function appLabel(host: string, config: Pick<GatewayConfig, 'LINK_DOMAIN'>): string {
  const plain = plainHost(host);
  const suffix = `.${plainHost(config.LINK_DOMAIN)}`;
  if (!plain.endsWith(suffix)) return plain.includes('.') ? plain : `${plain}.`;
  const label = plain.slice(0, -suffix.length);
  return label.startsWith('open-') ? label.slice('open-'.length) : label;
}

/** Whether the name is an app's open host. */
export const isOpenHost = (host: string, config: Pick<GatewayConfig, 'LINK_DOMAIN'>): boolean =>
  host.toLowerCase().startsWith('open-') && plainHost(host).endsWith(`.${plainHost(config.LINK_DOMAIN)}`);

/** Whether the name is the API's own, or an address: no app's. */
export function isOwnHost(host: string, config: Pick<GatewayConfig, 'PUBLIC_URL' | 'LINK_DOMAIN'>): boolean {
  const plain = plainHost(host);
  return (
    plain === plainHost(new URL(config.PUBLIC_URL).host) ||
    plain === plainHost(config.LINK_DOMAIN) ||
    plain === 'localhost' ||
    /^[\d.]+$/.test(plain) ||
    plain.startsWith('[')
  );
}
