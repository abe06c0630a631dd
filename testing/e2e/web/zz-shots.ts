// `npm run screenshots`: the pictures of the documents, made from the web app with demo data, in light and dark mode.
// The product runs as `npm start` runs it, in a folder that is deleted afterwards.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withProduct } from '@landfall/testkit/product';
import type { APIRequestContext, BrowserContext } from 'playwright-core';
import { launchBrowser } from './chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const IMAGES = process.env.SHOTS!;
const START_MS = 120_000;

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36';

/** Each picture, with the path below the app. */
const PICTURES: Record<string,string> = JSON.parse(process.env.PAGES!);

const owner = { LANDFALL_INIT_OWNER_EMAIL: OWNER.email, LANDFALL_INIT_OWNER_PASSWORD: OWNER.password };
await withProduct({ LOG_LEVEL: 'error', ...owner }, async ({ url, env }) => {
  await answering(url);
  const browser = await launchBrowser();
  const context = await browser.newContext({
    baseURL: url,
    userAgent: DESKTOP,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-landfall': '1' },
  });
  const appId = await fill(context.request, { ...process.env, ...env, LANDFALL_URL: url });
  await takeAll(context, appId);
  await browser.close();
});

/** Waits for the API and for the build of the web app. */
async function answering(url: string): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    const page = await fetch(url, { headers: { accept: 'text/html' } }).then(
      (answer) => answer.text(),
      () => '',
    );
    if (page.includes('/assets/')) return;
    if (Date.now() > until) throw new Error(`Landfall does not show its web app at ${url}`);
    await delay(200);
  }
}

/** Makes an app with links, devices, a push and three restores, and adds the made-up events of nine weeks. */
async function fill(request: APIRequestContext, env: NodeJS.ProcessEnv): Promise<string> {
  async function post(target: string, data: object, headers: Record<string, string> = {}) {
    const answer = await request.post(target, { data, headers });
    if (!answer.ok()) throw new Error(`${target}: ${await answer.text()}`);
    return answer.json();
  }
  await post('/api/manage/session', OWNER);
  const { team } = await post('/api/manage/teams', { name: 'Café Notes' });
  const { app } = await post('/api/manage/apps', {
    teamId: team.id,
    name: 'Café Notes',
    subdomain: 'notes',
    labels: ['campaign'],
    matching: { existingUsers: false },
    ios: { teamId: 'ABCDE12345', bundleId: 'com.example.notes', storeId: '123456789' },
    android: { package: 'com.example.notes', certificates: [Array(32).fill('AB').join(':')] },
  });
  const ofApp = `/api/manage/apps/${app.id}`;
  const { plaintext } = await post(`${ofApp}/keys`, { label: 'Android app', kind: 'mobile' });
  const links = ['spring', 'summer', 'friends'].flatMap((campaign) =>
    Array.from({ length: 4 }, (_, n) => ({
      destination: `/${campaign}/${n + 1}?ref=${campaign}`,
      metadata: { campaign },
    })),
  );
  const { outcomes } = await post(`${ofApp}/links/import`, { links });
  for (let n = 0; n < 12; n++)
    await post(
      '/api/push/register',
      {
        deviceToken: `${randomBytes(11).toString('hex')}:APA91b${randomBytes(60).toString('base64url')}`,
        platform: n % 3 === 0 ? 'ios' : 'android',
      },
      { 'x-openlynk-sdk-key': plaintext, 'x-forwarded-for': `203.0.113.${n + 1}` },
    );
  for (const [n, tapped] of [true, true, false].entries()) {
    const phone = { 'x-forwarded-for': `198.51.100.${n + 1}`, 'user-agent': ANDROID };
    const { host, pathname } = new URL(outcomes[n].link.url);
    if (tapped) await request.get(pathname, { headers: { ...phone, host }, maxRedirects: 0 });
    const body = { appId: app.id, deviceFingerprint: `phone-${n}`, platform: 'android' };
    const headers = { ...phone, 'x-openlynk-sdk-key': plaintext };
    await post('/api/deferred-deep-linking/install-heartbeat', body, headers);
    await post('/api/deferred-deep-linking/restore', body, headers);
  }
  const cli = [path.join(ROOT, 'tools/cli/src/main.ts'), 'demo', 'fill', app.id, '--days', '3', '--clicks', '300'];
  await promisify(execFile)(process.execPath, cli, { env });
  return app.id;
}

async function takeAll(context: BrowserContext, appId: string): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  const page = await context.newPage();
  for (const colorScheme of ['light','dark'] as const) for (const width of [1280, 390]) { await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const [name, below] of Object.entries(PICTURES)) {
      await page.goto(`/apps/${appId}${below}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      if (name === 'push') {
        await page.getByRole('textbox', { name: 'Title' }).fill('Your table is ready');
        await page.getByRole('textbox', { name: 'Text' }).fill('Ann shared the spring menu with you. Tap to see it.');
      }
      // The chart is drawn in the next frames.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: path.join(IMAGES, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}
