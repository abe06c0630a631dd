import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtWebApp } from '@landfall/dashboard/build';
import { buildInBackground } from '@landfall/standalone';
import { testLogger } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startWeb, type Web } from './web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web.stop());

const clients = path.resolve(import.meta.dirname, '../../../clients/javascript');
const html = { accept: 'text/html,*/*;q=0.8' };
const own = () => new URL(web.url).host;
const get = (path: string, headers = {}) => web.system.send({ path, headers: { host: own(), ...headers } });

/** Bytes of JavaScript, compressed, that a page may need before it is seen. */
const MOST_OF_A_FIRST_VIEW = 250_000;

interface Chunk {
  file: string;
  imports?: string[];
}

describe('the first view', () => {
  it.each([
    ['/sign-in', ['src/routes/sign-in.tsx?tsr-split=component']],
    ['/setup', ['src/routes/setup.tsx?tsr-split=component']],
    ['an app', ['src/routes/_app/apps.$appId/index.tsx?tsr-split=component']],
  ])('of %s needs little JavaScript', async (_, pages) => {
    const folder = await builtWebApp();
    const chunks: Record<string, Chunk> = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8'));
    const needed = new Set<string>();
    const need = (name: string): void => {
      const { file, imports = [] } = chunks[name]!;
      if (needed.has(file)) return;
      needed.add(file);
      imports.forEach(need);
    };
    ['index.html', ...pages].forEach(need);
    const sizes = await Promise.all(
      [...needed].map(async (file) => (await stat(path.join(folder, `${file}.gz`))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_OF_A_FIRST_VIEW);
  });
});

describe('the web app', () => {
  it('is built beside a start', async () => {
    const folder = await builtWebApp();
    const build = buildInBackground(testLogger());
    expect(build.find()).toEqual({ state: 'building' });
    await expect.poll(build.find).toEqual({ state: 'built', folder });
    await build.stop();
  });

  it('is a page with a strict policy and a new nonce each time', async () => {
    const first = await get('/', html);
    const second = await get('/apps/any/links', html);
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
    expect(first.headers['cross-origin-opener-policy']).toBe('same-origin');
    const nonceOf = ({ headers }: typeof first) => /'nonce-([^']+)'/.exec(headers['content-security-policy']!)![1]!;
    expect(first.text).toContain(`nonce="${nonceOf(first)}"`);
    expect(first.text).not.toContain('__NONCE__');
    expect(nonceOf(second)).not.toBe(nonceOf(first));
    expect(first.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(first)}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('has the frame of the page that is asked for, before its styles', async () => {
    const { text } = await get('/apps/any/links', { ...html, cookie: 'session=1' });
    const frame = text.indexOf('<div id="frame" class="app"');
    expect(frame).toBeGreaterThan(0);
    expect(text.indexOf('rel="stylesheet"')).toBeGreaterThan(frame);
    for (const [path, kind] of Object.entries({ '/sign-in': 'outside', '/docs': 'bare', '/': 'outside' }))
      expect((await get(path, html)).text, path).toContain(`<div id="frame" class="${kind}"`);
  });

  it('has files that never change, compressed', async () => {
    const index = await get('/', html);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(index.text)![1]!;
    const sent = await get(script, { 'accept-encoding': 'br, gzip' });
    expect(sent).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public,max-age=31536000,immutable', 'content-encoding': 'br' },
    });
    expect(await get('/assets/old-1234.js')).toMatchObject({
      status: 404,
      json: { code: 'NOT_FOUND' },
    });
  });

  it('leaves the API, and programs with a wrong path, to the API', async () => {
    for (const path of ['/api/nothing', '/.well-known/nothing'])
      expect(await get(path, html)).toMatchObject({ status: 404 });
    for (const path of ['/nothing', '/docs/nothing'])
      expect(await get(path)).toMatchObject({
        status: 404,
        json: { code: 'NOT_FOUND' },
      });
    // A program gets the address of the document.
    const { text } = await get('/docs');
    expect(text).toContain('href="/openapi.json"');
    expect(await web.system.send({ method: 'POST', path: '/', headers: { host: own(), ...html } })).toMatchObject({
      status: 405,
    });
  });

  it('has each guide as Markdown, and /llms.txt leads to guides that are there', async () => {
    const page = await get('/llms.txt', html);
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    const guides = [...page.text.matchAll(/\((\S+\.md)\)/g)].map(([, address]) => new URL(address!));
    expect(guides.length).toBeGreaterThan(10);
    for (const { origin, pathname } of guides) {
      expect(origin).toBe(web.url);
      const guide = await get(pathname, html);
      expect(guide, pathname).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/markdown; charset=utf-8' },
      });
      expect(guide.text, pathname).toMatch(/^# /m);
      // Guides and clients lead to each other.
      for (const [, href] of guide.text.matchAll(/\]\(((?:\.\.\/)+(?:[\w-]+\/)*[\w-]+\.md)/g)) {
        const { pathname: next } = new URL(href!, `${web.url}${pathname}`);
        if (/\/(guides|clients)\//.test(next)) expect((await get(next, html)).status, `${pathname}: ${href}`).toBe(200);
      }
    }
    for (const path of ['/docs/guides/nothing.md', '/docs/guides/..%2f..%2findex.md'])
      expect(await get(path)).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
  });

  it('has the clients as npm takes them', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'landfall-clients-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const names: string[] = [];
    for (const manifest of globSync('*/package.json', { cwd: clients })) {
      const { name, version } = JSON.parse(await readFile(path.join(clients, manifest), 'utf8'));
      const file = `${name.replace('@landfall/', 'landfall-')}-${version}.tgz`;
      const answer = await fetch(`${web.url}/clients/${file}`);
      expect(answer.status, file).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/gzip');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      await writeFile(path.join(folder, file), Buffer.from(await answer.arrayBuffer()));
      names.push(file);
    }
    expect(names).toHaveLength(5);
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    await promisify(execFile)('npm', [...install, ...names.map((name) => `./${name}`)], { cwd: folder });
    const program = "for (const name of ['web', 'node', 'client', 'capacitor']) await import('@landfall/' + name);";
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect((await get('/clients/landfall-nothing-0.1.0.tgz')).status).toBe(404);
  });

  it('is on the host of PUBLIC_URL alone', async () => {
    const elsewhere = `127.0.0.1:${web.system.port}`;
    expect(await get('/sign-in?a=1', { host: elsewhere, ...html })).toMatchObject({
      status: 302,
      headers: { location: `${web.url}/sign-in?a=1` },
    });
    const { app } = await web.system.makeApp();
    const host = `${app.subdomain}.${own()}`;
    const onLinkHost = await get('/sign-in', { host, ...html });
    expect(onLinkHost.status).toBe(404);
    expect(onLinkHost.text).not.toContain('/assets/');
  });
});
