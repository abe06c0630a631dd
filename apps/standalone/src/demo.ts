// Makes a demo app on the first start, with a key and a link to try. All of them have fixed ids. The ids are written to
// a file before the first request, so that the next start completes a start that was cut off.
import { randomUUID } from 'node:crypto';
import type { Bus } from '@landfall/bus';
import { type AppsOf, type AppsParts, appsOf } from '@landfall/console';
import { type App, AppSettings, CreateLink, FindApp } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { keptFile, randomHex } from './data-folder.ts';

export interface Demo {
  app: App;
  slug: string;
  /** Null when the key was revoked. */
  key: string | null;
}

const settings = AppSettings.parse({
  ios: { storeId: '1000000000', teamId: 'ABCDE12345', bundleId: 'com.example.demo' },
  android: { package: 'com.example.demo' },
  publicTry: true,
  matching: { existingUsers: false },
});

export async function ensureDemo(parts: AppsParts, folder: string): Promise<Demo> {
  const apps = appsOf(parts);
  const ids = demoIds(folder);
  const plaintext = keptFile(folder, 'demo-key', () => `ol_${randomHex(16)}`);
  const app = await demoApp(parts.bus, apps, ids.appId);
  const key = await apps.giveKey(app.id, { id: ids.keyId, plaintext, label: 'demo' });
  const link = await parts.bus.ask(
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
  return { app, slug: link.reply.link.slug, key: key.revokedAt === null ? plaintext : null };
}

/** Also before the first start has made the app. */
export function demoIds(folder: string): Record<'appId' | 'keyId' | 'linkId', string> {
  const make = () => JSON.stringify({ appId: randomUUID(), keyId: randomUUID(), linkId: randomUUID() });
  return JSON.parse(keptFile(folder, 'demo.json', make));
}

/** Another instance on the same database may already have an app with this name. */
async function demoApp(bus: Bus, apps: AppsOf, id: string): Promise<App> {
  const found = await bus.ask(FindApp, { appId: id });
  if (found.ok) return found.reply.app;
  for (const subdomain of ['demo', `demo-${randomHex(3)}`]) {
    try {
      return await apps.make({ id, name: 'Demo', subdomain, settings });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'SUBDOMAIN_TAKEN')) throw error;
    }
  }
  throw new Error('the demo app could not be made');
}
