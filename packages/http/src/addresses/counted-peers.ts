// Decides for which addresses the connections of a peer count.
import { readAddress } from './address.ts';
import type { Trusts } from './forwarded-for.ts';

/** A /48 has as many /64 as a gateway has connections, and more. Rate limits give it ten times as much, too. */
const SITE_TIMES = 10;

/** Trusted proxies are not counted: their connections carry the requests of many clients. */
export function countedPeers(trusts: Trusts, max: number) {
  return (peer: string): readonly { name: string; max: number }[] => {
    const address = readAddress(peer);
    if (trusts(address?.ip, 0)) return [];
    const counted = [{ name: address?.key ?? peer, max }];
    if (address?.site != null) counted.push({ name: address.site, max: max * SITE_TIMES });
    return counted;
  };
}
