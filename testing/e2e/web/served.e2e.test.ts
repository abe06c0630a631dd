import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWeb, type Web } from './web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web.stop());

const html = { accept: 'text/html,*/*;q=0.8' };
const own = () => new URL(web.url).host;

describe('the web app', () => {
  it('is a page with a strict policy and a new nonce each time', async () => {
    const first = await web.system.send({ path: '/', headers: { host: own(), ...html } });
    const second = await web.system.send({ path: '/apps/any/links', headers: { host: own(), ...html } });
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
    const nonceOf = ({ headers }: typeof first) => /'nonce-([^']+)'/.exec(headers['content-security-policy']!)![1]!;
    expect(first.text).toContain(`nonce="${nonceOf(first)}"`);
    expect(first.text).not.toContain('__NONCE__');
    expect(nonceOf(second)).not.toBe(nonceOf(first));
    expect(first.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(first)}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('has files that never change, compressed', async () => {
    const index = await web.system.send({ path: '/', headers: { host: own(), ...html } });
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(index.text)![1]!;
    const sent = await web.system.send({ path: script, headers: { host: own(), 'accept-encoding': 'br, gzip' } });
    expect(sent).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public,max-age=31536000,immutable', 'content-encoding': 'br' },
    });
    expect(await web.system.send({ path: '/assets/old-1234.js', headers: { host: own() } })).toMatchObject({
      status: 404,
      json: { code: 'NOT_FOUND' },
    });
  });

  it('leaves the API, and programs with a wrong path, to the API', async () => {
    for (const path of ['/api/nothing', '/docs/nothing', '/.well-known/nothing'])
      expect(await web.system.send({ path, headers: { host: own(), ...html } })).toMatchObject({ status: 404 });
    expect(await web.system.send({ path: '/nothing', headers: { host: own() } })).toMatchObject({
      status: 404,
      json: { code: 'NOT_FOUND' },
    });
    expect(await web.system.send({ method: 'POST', path: '/', headers: { host: own(), ...html } })).toMatchObject({
      status: 405,
    });
  });

  it('is on the host of PUBLIC_URL alone', async () => {
    const elsewhere = `127.0.0.1:${web.system.port}`;
    expect(await web.system.send({ path: '/sign-in?a=1', headers: { host: elsewhere, ...html } })).toMatchObject({
      status: 302,
      headers: { location: `${web.url}/sign-in?a=1` },
    });
    const { app } = await web.system.makeApp();
    const host = `${app.subdomain}.${own()}`;
    const onLinkHost = await web.system.send({ path: '/sign-in', headers: { host, ...html } });
    expect(onLinkHost.status).toBe(404);
    expect(onLinkHost.text).not.toContain('/assets/');
  });
});
