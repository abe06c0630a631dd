import { expect, it } from 'vitest';
import { type Host, hostsOf } from '../facts/hosts.ts';
import type { Resolved } from '../facts/names.ts';
import type { KnownApp } from '../facts/site.ts';
import { namesFindings } from './check-names.ts';

const shop = { subdomain: 'shop', domains: ['go.shop.test'] } as unknown as KnownApp;
const A = ['192.0.2.1'];

function names(
  resolved: Partial<Record<Host['kind'], Partial<Resolved>>>,
  byAddress = true,
  publicUrl = 'https://api.test',
) {
  const proving: Host[] = resolved.ipv6
    ? [{ host: 'v6.test', url: 'https://v6.test', kind: 'ipv6', app: undefined }]
    : [];
  const hosts = [...hostsOf({ publicUrl, linkDomain: 'links.test', apps: [shop] }), ...proving];
  const all = hosts.map((host) => ({ ...host, resolved: { v4: A, v6: [], ...resolved[host.kind] } }));
  return namesFindings(all, 'links.test', byAddress).map(({ state, says, remedy }) => `${state} ${says} → ${remedy}`);
}

it('are fine over IPv4 alone', () => {
  expect(names({})).toEqual([
    'ok api.test, shop.links.test, open-shop.links.test, go.shop.test resolve, without AAAA records → undefined',
  ]);
  expect(names({ api: { v4: ['10.0.0.5'] } })[0]).toContain('to 10.0.0.5, which only this network reaches');
});

it('with AAAA records divide taps from restores, where addresses are matched', () => {
  expect(names({ open: { v6: ['2001:db8::1'] } })[0]).toMatch(/^warn open-shop\.links\.test has AAAA records/);
  expect(names({ api: { v6: ['2001:db8::1'] } })[0]).toMatch(/^warn api\.test has AAAA records/);
  expect(names({ open: { v6: ['2001:db8::1'] } }, false)[0]).toMatch(/^ok /);
});

it('of links may have AAAA records when clients prove their IPv6 address', () => {
  const v6 = ['2001:db8::1'];
  const ipv6 = { v4: [], v6 };
  expect(names({ ipv6, link: { v6 }, open: { v6 } })).toEqual([
    expect.stringMatching(/^ok .*, and v6\.test over IPv6 only/),
  ]);
  expect(names({ ipv6, api: { v6 } })).toEqual([
    expect.stringMatching(/^warn api\.test has AAAA.*Remove the AAAA records of the API:/),
  ]);
  expect(names({ ipv6: { v4: A, v6 } })).toEqual([expect.stringMatching(/^fail v6\.test .*has an A record/)]);
  expect(names({ ipv6: { v4: [], v6: [] } })).toEqual([expect.stringMatching(/^fail v6\.test .*has no AAAA record/)]);
});

it('that do not resolve say which record is missing', () => {
  expect(names({ link: { v4: [] }, open: { v4: [] } })).toEqual([
    expect.stringMatching(
      /^fail shop\.links\.test, open-shop\.links\.test do not resolve.*\*\.links\.test A 192\.0\.2\.1/,
    ),
  ]);
  expect(names({ open: { v4: [] }, custom: { v4: [] } })).toEqual([
    expect.stringMatching(/^fail open-shop\.links\.test does not resolve/),
    expect.stringMatching(
      /^fail go\.shop\.test does not resolve.*owns it add the record go\.shop\.test A 192\.0\.2\.1/,
    ),
  ]);
  expect(names({ api: { v4: [] } })[0]).toMatch(/^fail api\.test does not resolve.* → Add an A record for it/);
});

it('that nobody answers for are another fault than those that do not exist', () => {
  expect(names({ link: { v4: [], fault: 'queryA ESERVFAIL' } })).toEqual([
    expect.stringMatching(/^fail the name server does not answer for shop\.links\.test: queryA ESERVFAIL/),
  ]);
});

it('below a port are asked for without it', () => {
  expect(hostsOf({ publicUrl: 'http://localhost:8080', linkDomain: 'localhost:8080', apps: [shop] })).toMatchObject([
    { url: 'http://localhost:8080' },
    { url: 'http://shop.localhost:8080', kind: 'link' },
    { url: 'http://open-shop.localhost:8080', kind: 'open' },
    // A custom domain uses the default port.
    { url: 'http://go.shop.test', kind: 'custom' },
  ]);
});

it('without an app are those of a wildcard record', () => {
  const [, link, open] = hostsOf({ publicUrl: 'https://api.test', linkDomain: 'links.test', apps: [] });
  expect(link!.host).toMatch(/^doctor-[0-9a-f]{6}\.links\.test$/);
  expect(open!.host).toBe(`open-${link!.host}`);
});
