// Custom domains: a team proves by a DNS record that it owns the domain. From then on the server serves the domain.
import { randomUUID } from 'node:crypto';
import { freshIp, LINK_DOMAIN, startDnsServer, type TestApp } from '@landfall/testkit';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { del, expectError, linksOf, newDevice, patch, post, systemOfFile } from '../calls.ts';

const dns = await startDnsServer({});
afterAll(() => dns.stop());
const { system, calls } = await systemOfFile({ DNS_SERVERS: dns.address });
beforeEach(() => {
  dns.records = {};
  dns.silent = false;
});

interface Domain {
  id: string;
  domain: string;
  record: { name: string; value: string };
}

const aDomain = () => `go-${randomUUID().slice(0, 8)}.shop.example`;
const domainsOf = ({ app }: TestApp) => `/api/manage/apps/${app.id}/domains`;
const add = (app: TestApp, domain: string) => calls.change(post(domainsOf(app), { domain }));
const verify = (app: TestApp, { id }: Domain) => calls.change(post(`${domainsOf(app)}/${id}/verify`, undefined));
const remove = (app: TestApp, { id }: Domain) => calls.change(del(`${domainsOf(app)}/${id}`));
const update = (app: TestApp, body: object) => calls.change(patch(`/api/manage/apps/${app.app.id}`, body));
const listed = async (app: TestApp) => (await system.manage({ path: domainsOf(app) })).json.domains;

async function added(app: TestApp, domain = aDomain()): Promise<Domain> {
  const { status, json, text } = await add(app, domain);
  expect(status, text).toBe(200);
  return json.domain;
}

/** Adds a domain, sets its DNS record, and verifies the domain. */
async function verified(app: TestApp, domain = aDomain()): Promise<Domain> {
  const claim = await added(app, domain);
  dns.records[claim.record.name] = { TXT: [claim.record.value] };
  const { status, json, text } = await verify(app, claim);
  expect(status, text).toBe(200);
  return json.domain;
}

const tapOn = (host: string, slug: string) => calls.tap(`http://${host}/${slug}`);

const STORES = {
  ios: { storeId: '284882215', teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
  android: { package: 'com.example.shop', certificates: [`${'AB:'.repeat(31)}CD`] },
};

describe('a domain that is added', () => {
  it('says what to put into its DNS, and serves nothing before that is found there', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app);
    const name = aDomain();
    const claim = await added(app, name);
    expect(claim).toEqual({
      id: expect.any(String),
      appId: app.app.id,
      domain: name,
      createdAt: expect.stringMatching(/Z$/),
      verifiedAt: null,
      record: {
        type: 'TXT',
        name: `_landfall.${name}`,
        value: expect.stringMatching(/^landfall-verify=[0-9a-f]{32}$/),
      },
    });
    expect(await listed(app)).toEqual([claim]);
    const { name: at, value } = claim.record;

    const missing = await verify(app, claim);
    expectError(missing, 409, 'DOMAIN_UNPROVEN');
    expect(missing.json.error).toBe(`${at} has no TXT record, as far as the DNS servers know`);
    // The name exists in DNS, but with other records. The proof is still missing.
    dns.records[at] = { A: ['192.0.2.1'] };
    expectError(await verify(app, claim), 409, 'DOMAIN_UNPROVEN');
    dns.records[at] = { TXT: ['v=spf1 -all', 'landfall-verify=00000000000000000000000000000000'] };
    expect((await verify(app, claim)).json.error).toBe(`${at} has a TXT record, but none with the value ${value}`);
    dns.silent = true;
    expectError(await verify(app, claim), 503, 'DNS_SILENT');
    dns.silent = false;
    expect((await tapOn(name, link.slug)).status).toBe(404);
    expectError(await calls.resolve({ hostname: name, slug: link.slug }), 404, 'APP_NOT_FOUND');

    // DNS splits a long text into several strings.
    dns.records[at] = { TXT: ['v=spf1 -all', [value.slice(0, 20), value.slice(20)]] };
    const proven = await verify(app, claim);
    expect(proven.json.domain).toEqual({ ...claim, verifiedAt: expect.stringMatching(/Z$/) });
    // The record is no longer needed after the verification.
    dns.records = {};
    expect((await verify(app, claim)).json.domain).toEqual(proven.json.domain);
    expect(await listed(app)).toEqual([proven.json.domain]);
  });

  it.each([
    ['Go.Bücher.Example', 'go.xn--bcher-kva.example'],
    ['  go.shop.example. ', 'go.shop.example'],
  ])('%s is %s', async (given, domain) => {
    expect((await added(await system.makeApp(), given)).domain).toBe(domain);
  });

  it.each([
    ['shop'],
    ['http://go.shop.example'],
    ['go.shop.example/path'],
    ['go.shop.example:8080'],
    ['*.shop.example'],
    ['-go.shop.example'],
    ['go..example'],
    ['127.0.0.1'],
    ['１２７.0.0.1'],
    ['[::1]'],
    ['user@go.shop.example'],
    [`${'a.'.repeat(122)}example`],
    [`${'a'.repeat(64)}.example`],
    [LINK_DOMAIN],
    [`shop.${LINK_DOMAIN}`],
    [`OPEN-shop.${LINK_DOMAIN}.`],
    ['api.test'],
  ])('must be a name that the owner may have, not %s', async (domain) => {
    const refused = await add(await system.makeApp(), domain);
    expectError(refused, 400, 'INVALID_REQUEST');
    expect(refused.json.details[0].path).toBe('domain');
  });
});

describe('a verified domain', () => {
  it('is a host of its app everywhere, beside the subdomain', async () => {
    const app = await system.makeApp({ ...STORES, webFallbackUrl: 'https://www.shop.example' });
    const link = await system.makeLink(app, '/offer');
    const { domain } = await verified(app);
    const { status, headers } = await tapOn(domain, link.slug);
    expect([status, headers.location]).toEqual([302, expect.stringContaining('play.google.com')]);
    expect((await tapOn(domain.toUpperCase(), link.slug)).status).toBe(302);
    expect((await calls.resolve({ hostname: domain, slug: link.slug })).json.link.id).toBe(link.id);
    const root = await tapOn(domain, '');
    expect([root.status, root.headers.location]).toEqual([302, 'https://www.shop.example/']);
    for (const file of ['apple-app-site-association', 'assetlinks.json']) {
      const [here, there] = await Promise.all(
        [domain, new URL(link.url).host].map((host) =>
          system.send({ path: `/.well-known/${file}`, headers: { host } }),
        ),
      );
      expect(here!.status).toBe(200);
      expect(here!.text).toBe(there!.text);
    }
    expect((await calls.tap(link.url)).status).toBe(302);
  });

  it('is where a tap on it came from, and the page of it leads to another host', async () => {
    const app = await system.makeApp(STORES);
    const link = await system.makeLink(app, '/offer');
    const { domain } = await verified(app);
    const device = newDevice();
    await calls.tap(`http://${domain}/${link.slug}?a=1`, { ip: device.ip });
    await calls.heartbeat(app, device.body, { ip: device.ip });
    const restored = await calls.restore(app, device.body, { ip: device.ip });
    expect(linksOf(restored)).toEqual([link.id]);
    expect(restored.json.restoredLinks[0].originalUrl).toBe(`http://${domain}/${link.slug}?a=1`);
    const page = await system.tap(`http://${domain}/${link.slug}`, { userAgent: 'something', ip: freshIp() });
    expect(page.text).toContain(`http://open-${app.app.subdomain}.${LINK_DOMAIN}/${link.slug}`);
  });

  it('is what links are given out with once it is the primary one, and the subdomain goes on', async () => {
    const app = await system.makeApp();
    const old = await system.makeLink(app);
    const claim = await added(app);
    expectError(await update(app, { primaryDomain: claim.domain }), 409, 'DOMAIN_NOT_VERIFIED');
    const { domain } = await verified(app);
    const { json } = await update(app, { primaryDomain: domain });
    expect(json.app).toMatchObject({ domains: [domain], primaryDomain: domain, linkHost: domain });
    const link = await system.makeLink(app);
    expect(link.url).toBe(`http://${domain}/${link.slug}`);
    expect((await calls.tap(link.url)).status).toBe(200);
    expect((await calls.tap(old.url)).status).toBe(200);
    const seen = await system.manage({ path: `/api/manage/links/${old.id}` });
    expect(seen.json.link.url).toBe(`http://${domain}/${old.slug}`);
    await update(app, { primaryDomain: null });
    expect((await system.makeLink(app)).url).toContain(`http://${app.app.subdomain}.${LINK_DOMAIN}/`);
  });

  it('leads nowhere that leads back', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app, '/offer');
    const [one, two] = [await verified(app), await verified(app)];
    await update(app, { webFallbackUrl: `http://${two.domain}/x`, ios: { storeUrl: `http://${one.domain}/y` } });
    for (const host of [one.domain, two.domain, new URL(link.url).host]) {
      expect((await tapOn(host, link.slug)).headers.location).toBeUndefined();
      expect((await tapOn(host, '')).headers.location).toBeUndefined();
    }
  });

  it('stops with its removal, and its links go on where they were before', async () => {
    const app = await system.makeApp({ ios: { bundleId: 'com.example.shop' } });
    const domain = await verified(app);
    await update(app, { primaryDomain: domain.domain });
    const link = await system.makeLink(app);
    expect((await calls.tap(link.url)).status).toBe(200);
    expect((await remove(app, domain)).status).toBe(200);
    expect((await calls.tap(link.url)).status).toBe(404);
    expectError(await calls.resolve({ hostname: domain.domain, slug: link.slug }), 404, 'APP_NOT_FOUND');
    const { json } = await system.manage({ path: `/api/manage/links/${link.id}` });
    expect(json.link.url).toBe(`http://${app.app.subdomain}.${LINK_DOMAIN}/${link.slug}`);
    expect((await calls.tap(json.link.url)).status).toBe(200);
    expectError(await remove(app, domain), 404, 'DOMAIN_NOT_FOUND');
    expect(await listed(app)).toEqual([]);
  });

  it('is of one app: others may claim it, and have it once it is free', async () => {
    const [mine, other] = [await system.makeApp(), await system.makeApp()];
    const [a, b] = [await system.makeLink(mine), await system.makeLink(other)];
    const name = aDomain();
    const early = await added(other, name);
    const first = await verified(mine, name);
    dns.records[early.record.name] = { TXT: [early.record.value] };
    const taken = await verify(other, early);
    expectError(taken, 409, 'DOMAIN_TAKEN');
    expect(taken.text).not.toContain(mine.app.id);
    expectError(await add(await system.makeApp(), name), 409, 'DOMAIN_TAKEN');
    expectError(await add(mine, name), 409, 'DOMAIN_EXISTS');
    expect((await tapOn(name, a.slug)).status).toBe(200);
    expect((await tapOn(name, b.slug)).status).toBe(404);
    await remove(mine, first);
    expect((await verify(other, early)).status).toBe(200);
    expect((await tapOn(name, a.slug)).status).toBe(404);
    expect((await tapOn(name, b.slug)).status).toBe(200);
  });

  it('is found by nobody under the id of another app', async () => {
    const [mine, other] = [await system.makeApp(), await system.makeApp()];
    const domain = await added(mine);
    expectError(await verify(other, domain), 404, 'DOMAIN_NOT_FOUND');
    expectError(await remove(other, domain), 404, 'DOMAIN_NOT_FOUND');
    expect(await listed(mine)).toEqual([domain]);
  });
});
