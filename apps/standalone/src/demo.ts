// Makes a demo app on the first start, with a key and a link to try. All of them have fixed ids. The ids are written to
// a file before the first request, so that the next start completes a start that was cut off.
import { randomUUID } from 'node:crypto';
import type { Bus } from '@landfall/bus';
import { type App, AppSettings, CreateApp, CreateKey, CreateLink, FindApp, ListKeys } from '@landfall/contracts';
import { sha256 } from '@landfall/gateway';
import { keptFile, randomHex } from './secrets.ts';

export interface Demo {
  app: App;
  slug: string;
  /** Null when the key was revoked. */
  key: string | null;
}

export interface DemoIds {
  appId: string;
  keyId: string;
  linkId: string;
}

const settings = AppSettings.parse({
  ios: { storeId: '1000000000', teamId: 'ABCDE12345', bundleId: 'com.example.demo' },
  android: { package: 'com.example.demo' },
  publicTry: true,
  matching: { existingUsers: false },
});

export async function ensureDemo(bus: Bus, folder: string): Promise<Demo> {
  const ids = demoIds(folder);
  const key = keptFile(folder, 'demo-key', () => `ol_${randomHex(16)}`);
  const app = await demoApp(bus, ids.appId);
  await bus.ask(
    CreateKey,
    { appId: app.id, hash: sha256(key), hint: `${key.slice(0, 7)}…`, label: 'demo' },
    { id: ids.keyId },
  );
  const link = await bus.ask(
    CreateLink,
    {
      appId: app.id,
      destination: '/welcome?utm_source=readme',
      metadata: { title: 'Welcome to the demo' },
      random: randomHex(8),
      plan: app.plan,
    },
    { id: ids.linkId },
  );
  if (!link.ok) throw new Error(`the demo link was refused: ${link.refusal.code}`);
  return { app, slug: link.reply.link.slug, key: (await isRevoked(bus, app.id, ids.keyId)) ? null : key };
}

/** Returns the ids, also before the first start has made the app. */
export function demoIds(folder: string): DemoIds {
  const make = () => JSON.stringify({ appId: randomUUID(), keyId: randomUUID(), linkId: randomUUID() });
  return JSON.parse(keptFile(folder, 'demo.json', make));
}

/** Another instance on the same database may already have an app with this name. */
async function demoApp(bus: Bus, id: string): Promise<App> {
  const found = await bus.ask(FindApp, { appId: id });
  if (found.ok) return found.reply.app;
  for (const subdomain of ['demo', `demo-${randomHex(3)}`]) {
    const made = await bus.ask(CreateApp, { name: 'Demo', subdomain, settings }, { id });
    if (made.ok) return made.reply.app;
  }
  throw new Error('the demo app could not be made');
}

async function isRevoked(bus: Bus, appId: string, keyId: string): Promise<boolean> {
  const listed = await bus.ask(ListKeys, { appId });
  return listed.ok && listed.reply.keys.some((key) => key.id === keyId && key.revokedAt !== null);
}
