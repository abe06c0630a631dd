// Logos of apps: stored under their SHA-256, one for each app.
import { createHash } from 'node:crypto';
import { AppChanged, type DataOf, FindApp, FindLogo } from '@landfall/contracts';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { updateApp } from '../apps/update-app.ts';
import { consoleSuite, done, makeApp, refused, toldOf } from '../console.testing.ts';
import { removeLogo, setLogo } from './logos.ts';

const square = async (color: string) =>
  (
    await sharp({ create: { width: 64, height: 64, channels: 3, background: color } })
      .png()
      .toBuffer()
  ).toString('base64');
const [GREEN, RED] = [await square('green'), await square('red')];

consoleSuite('logos', (fixture) => {
  const set = async (appId: string, image: string) => (await done(fixture.ask(setLogo, { appId, image }))).app;
  const remove = async (appId: string) => (await done(fixture.ask(removeLogo, { appId }))).app;
  const find = (hash: string | null) => fixture.bus.ask(FindLogo, { hash: hash! });

  it('are found by their SHA-256 until they are replaced or removed', async () => {
    const app = await makeApp(fixture);
    const first = await set(app.id, GREEN);
    const { logo } = first.branding;
    expect(first).toMatchObject({ ...app, branding: { ...app.branding, logo }, version: 2 });
    const stored = Buffer.from((await done(find(logo))).image, 'base64');
    expect(createHash('sha256').update(stored).digest('hex')).toBe(logo);
    const second = await set(app.id, RED);
    expect(await refused(find(logo))).toBe('LOGO_NOT_FOUND');
    expect((await remove(app.id)).branding.logo).toBeNull();
    expect(await refused(find(second.branding.logo))).toBe('LOGO_NOT_FOUND');
    await fixture.bus.idle();
    const versions = (toldOf(fixture, AppChanged) as DataOf<typeof AppChanged>[]).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3, 4]);
  });

  it('stay while another app has the same one, and through other changes', async () => {
    const [one, other] = [await makeApp(fixture), await makeApp(fixture)];
    const { logo } = (await set(one.id, GREEN)).branding;
    expect((await set(other.id, GREEN)).branding.logo).toBe(logo);
    await remove(one.id);
    await done(find(logo));
    const change = { branding: { color: '#112233' }, social: { title: 'T' } };
    const { app } = await done(fixture.ask(updateApp, { appId: other.id, ...change }));
    expect(app.branding).toEqual({ color: '#112233', sentence: null, logo });
    expect(app.social).toEqual({ title: 'T', description: null, imageUrl: null });
    expect((await done(fixture.bus.ask(FindApp, { appId: other.id }))).app.branding.logo).toBe(logo);
  });

  it('belong to apps that exist', async () => {
    const appId = '0b0f8d0e-6f9c-4c6e-9d53-4b8f0d8f4a01';
    expect(await refused(fixture.ask(setLogo, { appId, image: GREEN }))).toBe('APP_NOT_FOUND');
  });
});
