import { describe, expect, it } from 'vitest';
import { addressStep, checkDomain, judgeCertificate, proofStep } from './check-domain.ts';
import { hostOfZone } from './dns-hosts.ts';

const OURS = ['203.0.113.7'];
const NOW = new Date('2026-11-28T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

describe('the steps of a domain', () => {
  it.each([
    ['no record', false, [], 'warn'],
    ['another value', false, ['landfall-verify=0'], 'failed'],
    ['the value among others', false, ['v=spf1', 'landfall-verify=1'], 'ok'],
    ['a verified domain without its record', true, [], 'ok'],
  ])('proof: %s', (_, verified, texts, state) => {
    expect(proofStep(verified, texts, 'landfall-verify=1').state).toBe(state);
  });

  it.each([
    ['none', [], [], 'warn', /no IPv4/],
    ['another machine', ['198.51.100.1'], [], 'failed', /leads to 198\.51\.100\.1, and Landfall is at 203\.0\.113\.7/],
    ['IPv6 as well', OURS, ['2001:db8::1'], 'failed', /AAAA|IPv6/],
    ['here', ['203.0.113.7'], [], 'ok', /203\.0\.113\.7/],
  ])('address: %s', (_, ipv4, ipv6, state, detail) => {
    expect(addressStep({ ipv4, ipv6, ours: OURS })).toMatchObject({ state, detail: expect.stringMatching(detail) });
  });

  it.each([
    ['for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', 60, 'failed'],
    ['that ends soon', null, 3, 'warn'],
    ['that is valid', null, 60, 'ok'],
  ])('a certificate %s', (_, fault, days, state) => {
    expect(judgeCertificate({ fault, expiresAt: inDays(days), issuer: "Let's Encrypt" }, NOW).state).toBe(state);
  });
});

it.each([
  ['cloudflare', 'Ada.NS.cloudflare.com.'],
  ['route53', 'ns-2048.awsdns-64.co.uk'],
  ['hetzner', 'hydrogen.ns.hetzner.com'],
  [null, 'ns1.example.com'],
])('knows the DNS of %s', (host, server) => {
  expect(hostOfZone(['ns.unknown.example', server])).toBe(host);
});

describe('the records to set', () => {
  const recordsOf = async (domain: string) => {
    const nothing = async () => [];
    const dns = {
      texts: nothing,
      ipv6: nothing,
      ipv4: async (name: string) => (name === 'shop.links.example' ? ['93.184.215.14'] : []),
      nameServers: async (name: string) => (name === 'acme.com' ? ['a.ns.cloudflare.com'] : []),
    };
    const never = () => Promise.reject(new Error('not asked'));
    const { records, dnsHost, steps } = await checkDomain({
      app: {} as never,
      domain,
      verified: false,
      proof: { name: `_landfall.${domain}`, value: 'landfall-verify=1' },
      linkHost: 'shop.links.example',
      scheme: 'https:',
      dns,
      certificateOf: never,
      get: never,
    });
    expect(dnsHost).toBe('cloudflare');
    expect(steps.map(({ step, state }) => [step, state])).toEqual([
      ['proof', 'warn'],
      ['address', 'warn'],
      ['certificate', 'skipped'],
      ['files', 'skipped'],
    ]);
    return records.filter(({ purpose }) => purpose === 'address');
  };

  it('are a CNAME for a name below a zone', async () => {
    const [record] = await recordsOf('go.acme.com');
    expect(record).toMatchObject({ type: 'CNAME', name: 'go.acme.com', value: 'shop.links.example' });
  });

  it('are an A record for the zone itself, which can have no CNAME', async () => {
    expect(await recordsOf('acme.com')).toMatchObject([{ type: 'A', name: 'acme.com', value: '93.184.215.14' }]);
  });
});
