// The host of a request comes from the Host header. Headers that any client can add do not change it.
import { LINK_DOMAIN, startDnsServer, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, post, systemOfFile } from '../calls.ts';
import { parseRaw, sendRaw } from '../raw.ts';

const stores = (name: string) => ({
  ios: { teamId: 'ABCDE12345', bundleId: `com.example.${name}` },
  android: { package: `com.example.${name}`, certificates: [`${'AB:'.repeat(31)}CD`] },
});
const hostOf = ({ app }: TestApp) => `${app.subdomain}.${LINK_DOMAIN}`;

const dns = await startDnsServer({});
afterAll(() => dns.stop());
const { system, calls } = await systemOfFile({ DNS_SERVERS: dns.address });
const [victim, evil] = [await system.makeApp(stores('victim')), await system.makeApp(stores('evil'))];

const FILES = ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'];

describe.each(FILES)('%s', (path) => {
  it.each(['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host', 'x-forwarded-server'])(
    'is of the app of Host, whatever %s says',
    async (header) => {
      const says = header === 'forwarded' ? `host=${hostOf(evil)};for=71.0.0.1` : hostOf(evil);
      const { status, text } = await system.send({ path, headers: { host: hostOf(victim), [header]: says } });
      expect(status).toBe(200);
      expect(text).toContain('com.example.victim');
      expect(text).not.toContain('com.example.evil');
    },
  );
});

it('a tap is on the app of Host, whatever X-Forwarded-Host says', async () => {
  const link = await system.makeLink(victim);
  const tapped = await calls.tap(link.url, { headers: { 'x-forwarded-host': hostOf(evil) } });
  expect(tapped.headers.location).toContain('com.example.victim');
  const other = await calls.tap(link.url.replace(hostOf(victim), hostOf(evil)), {
    headers: { 'x-forwarded-host': hostOf(victim) },
  });
  expect(other.status).toBe(404);
});

describe('bytes that name two hosts', () => {
  /** Sends these request lines and returns the answer. */
  const raw = async (...lines: string[]) =>
    parseRaw(await sendRaw(system.port, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`));
  const path = FILES[1];

  it.each([
    ['two Host headers', () => [`GET ${path} HTTP/1.1`, `Host: ${hostOf(victim)}`, `Host: ${hostOf(evil)}`]],
    ['the same Host twice', () => [`GET ${path} HTTP/1.1`, `Host: ${hostOf(victim)}`, `hOST: ${hostOf(victim)}`]],
    ['a list of hosts', () => [`GET ${path} HTTP/1.1`, `Host: ${hostOf(victim)}, ${hostOf(evil)}`]],
    ['another host in the URL', () => [`GET http://${hostOf(evil)}${path} HTTP/1.1`, `Host: ${hostOf(victim)}`]],
    [
      'a user in the URL',
      () => [`GET http://${hostOf(victim)}@${hostOf(evil)}${path} HTTP/1.1`, `Host: ${hostOf(evil)}`],
    ],
    ['no URL of ours', () => [`GET ftp://${hostOf(victim)}${path} HTTP/1.1`, `Host: ${hostOf(victim)}`]],
  ])('are a 400: %s', async (_, lines) => {
    const answer = await raw(...lines());
    expectError({ ...answer, headers: answer.headers }, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('Host');
  });

  it('are served where they are one', async () => {
    const answer = await raw(`GET http://${hostOf(victim).toUpperCase()}${path} HTTP/1.1`, `Host: ${hostOf(victim)}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('com.example.victim');
    const old = await raw(`GET http://${hostOf(victim)}${path} HTTP/1.0`);
    expect(old.text).toContain('com.example.victim');
  });
});

describe("a name below the link domain that is another app's own domain", () => {
  const domain = 'login.bank.example';
  let bank: TestApp;
  let slug: string;
  beforeAll(async () => {
    bank = await system.makeApp(stores('bank'));
    ({ slug } = await system.makeLink(bank));
    const path = `/api/manage/apps/${bank.app.id}/domains`;
    const { record, id } = (await calls.change(post(path, { domain }))).json.domain;
    dns.records[record.name] = { TXT: [record.value] };
    expect((await calls.change(post(`${path}/${id}/verify`, undefined))).status).toBe(200);
  });

  it('is served under its own name', async () => {
    expect((await calls.tap(`http://${domain}/${slug}`)).status).toBe(302);
    expect((await calls.resolve({ hostname: domain, slug })).status).toBe(200);
  });

  it.each([`${domain}.${LINK_DOMAIN}`, `open-${domain}.${LINK_DOMAIN}`, `LOGIN.bank.example.${LINK_DOMAIN}`])(
    '%s is nobody',
    async (host) => {
      expect((await calls.tap(`http://${host}/${slug}`)).status).toBe(404);
      for (const path of FILES) expectError(await system.send({ path, headers: { host } }), 404, 'NOT_FOUND');
      expectError(await calls.resolve({ hostname: host, slug }), 404, 'APP_NOT_FOUND');
    },
  );
});
