// Finds the country of a request. Nothing else of its address leaves the gateway.
import { type ClientAddress, readAddress, type Trusts } from '@landfall/http';
import type { Logger } from '@landfall/runtime';
import { bundledCountryFile, countryCode, EVERY_MS, operatorsCountryFile } from './country-file.ts';

interface Peer {
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Countries {
  /** Returns two letters (ISO 3166-1), or null when the country is unknown. */
  of(req: Peer, address: ClientAddress): string | null;
  stop(): void;
}

/**
 * Asks, in this order: the header of the operator's proxy, if a trusted proxy sent it; the operator's file; the file that
 * comes with the product.
 */
export function createCountries(
  { COUNTRY_HEADER, GEOIP_DB }: { COUNTRY_HEADER?: string | undefined; GEOIP_DB?: string | undefined },
  trusts: Trusts,
  log: Logger,
  everyMs = EVERY_MS,
): Countries {
  const file = GEOIP_DB === undefined ? bundledCountryFile() : operatorsCountryFile(GEOIP_DB, log, everyMs);

  function fromHeader({ socket, headers }: Peer): string | null {
    if (COUNTRY_HEADER === undefined) return null;
    const value = headers[COUNTRY_HEADER];
    if (value === undefined || !trusts(readAddress(socket.remoteAddress ?? '')?.ip, 0)) return null;
    return countryCode(value);
  }

  // Most addresses are new ones, and a cache of them costs more than the file, which is in memory.
  function fromFile(key: string): string | null {
    // An IPv6 address is known by its network.
    return key === '' ? null : file.find(key.replace(/\/\d+$/, ''));
  }

  return {
    // Without a matchable address the key is that of a proxy, whose country says nothing about the client.
    of: (req, { key, matchable }) => fromHeader(req) ?? (matchable ? fromFile(key) : null),
    stop: () => file.stop(),
  };
}
