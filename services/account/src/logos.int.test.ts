// Logos of apps: stored under their SHA-256, one for each app.
import { createHash } from 'node:crypto';
import {
  type App,
  AppChanged,
  AppSettings,
  CreateApp,
  type DataOf,
  FindApp,
  FindLogo,
  SetLogo,
  UpdateApp,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { done, refused, service } from './people.testing.ts';

const IMAGE = Buffer.from('an image').toString('base64');
const HASH = createHash('sha256').update('an image').digest('hex');

async function makeApp(house: House, subdomain: string): Promise<App> {
  return (await done(house.bus.ask(CreateApp, { name: 'Shop', subdomain, settings: AppSettings.parse({}) }))).app;
}

/** The AppChanged events that gateways received in the current test. */
let told: DataOf<typeof AppChanged>[] = [];
const watched = (parts: Parameters<typeof service>[0]) => {
  service(parts);
  told = [];
  parts.bus.watch(AppChanged, (data) => told.push(data), { onGap() {} });
};

handlerSuite('logos', { service: watched }, (house) => {
  const set = (appId: string, image: string | null) => house.bus.ask(SetLogo, { appId, image });
  const find = (hash: string) => house.bus.ask(FindLogo, { hash });

  it('are found by their SHA-256 until they are replaced or removed', async () => {
    const app = await makeApp(house, 'shop');
    const { app: with1 } = await done(set(app.id, IMAGE));
    expect(with1).toEqual({ ...app, branding: { ...app.branding, logo: HASH }, version: 2 });
    expect((await done(find(HASH))).image).toBe(IMAGE);
    const { app: with2 } = await done(set(app.id, Buffer.from('another').toString('base64')));
    expect(await refused(find(HASH))).toBe('LOGO_NOT_FOUND');
    expect((await done(set(app.id, null))).app.branding.logo).toBeNull();
    expect(await refused(find(with2.branding.logo!))).toBe('LOGO_NOT_FOUND');
    expect(told.map(({ version }) => version)).toEqual(expect.arrayContaining([2, 3, 4]));
  });

  it('stay while another app has the same one, and through other changes', async () => {
    const [one, other] = [await makeApp(house, 'one'), await makeApp(house, 'other')];
    await done(set(one.id, IMAGE));
    await done(set(other.id, IMAGE));
    await done(set(one.id, null));
    expect((await done(find(HASH))).image).toBe(IMAGE);
    const settings = { branding: { color: '#112233' }, social: { title: 'T' } };
    const { app } = await done(house.bus.ask(UpdateApp, { appId: other.id, settings }));
    expect(app.branding).toEqual({ color: '#112233', sentence: null, logo: HASH });
    expect(app.social).toEqual({ title: 'T', description: null, imageUrl: null });
    expect((await done(house.bus.ask(FindApp, { appId: other.id }))).app.branding.logo).toBe(HASH);
  });

  it('belong to apps that exist', async () => {
    expect(await refused(set('0b0f8d0e-6f9c-4c6e-9d53-4b8f0d8f4a01', IMAGE))).toBe('APP_NOT_FOUND');
  });
});
