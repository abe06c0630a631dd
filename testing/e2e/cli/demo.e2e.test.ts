// The command that fills an app with made-up events, and removes them.
import { runCommand } from '@landfall/cli/commands';
import { expect, it } from 'vitest';
import { systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp({ timeZone: 'Asia/Kolkata' });
// The command has the clock of this machine. What is still to come is in no figure.
system.clock.advance({ ms: Date.now() - system.clock() });

async function demo(...args: string[]): Promise<string> {
  const said: string[] = [];
  const env = {
    DATABASE_URL: system.databaseUrl,
    LANDFALL_URL: `http://localhost:${system.port}`,
    LANDFALL_TOKEN: system.ownerToken,
  };
  await runCommand(['demo', ...args], env, (text) => said.push(text));
  return said.join('\n');
}

async function total(metric: string): Promise<number> {
  await system.settled();
  const path = `/api/manage/apps/${app.app.id}/analytics?metric=${metric}&interval=total&from=2026-01-01&to=2027-12-31`;
  return (await system.manage({ path })).json.total;
}

it('adds plausible events, and leaves the real ones when it removes them', async () => {
  const link = await system.makeLink(app);
  await calls.tap(link.url);
  expect(await demo('fill', app.app.subdomain, '--clicks', '400', '--days', '20', '--no-phones')).toMatch(
    /^Added \d+ made-up events/,
  );
  expect(await total('clicks')).toBe(401);
  for (const metric of ['installs', 'attributedInstalls', 'restores', 'opens', 'pushesSent'])
    expect(await total(metric), metric).toBeGreaterThan(0);
  expect(await demo('fill', app.app.id, '--clicks', '100', '--days', '5', '--no-phones')).toMatch(/^Added/);
  expect(await total('clicks')).toBe(501);

  expect(await demo('remove', app.app.subdomain)).toMatch(/^Removed/);
  for (const metric of ['installs', 'attributedInstalls', 'restores', 'opens', 'pushesSent'])
    expect(await total(metric), metric).toBe(0);
  expect(await total('clicks')).toBe(1);
  expect(await demo('remove', app.app.subdomain)).toMatch(/has no made-up events/);
});

it('fills the other pages, too: named links, restores of several kinds, devices and a push', async () => {
  const other = await system.makeApp();
  const of = async (path: string) => (await system.manage({ path: `/api/manage/apps/${other.app.id}/${path}` })).json;
  await demo('fill', other.app.id, '--clicks', '100', '--days', '20');
  await system.settled();
  const { links } = await of('links?limit=100&search=launch');
  expect(links).toContainEqual(expect.objectContaining({ name: 'Launch instagram story', tags: ['launch', 'social'] }));
  const { restores } = await of('restores');
  const outcomes = new Set(restores.map(({ matchType, outcome }: Record<string, string>) => matchType ?? outcome));
  expect([...outcomes].sort()).toEqual(['address', 'token', 'untapped']);
  expect((await of('devices')).devices).toHaveLength(5);
  expect((await of('notifications')).notifications).toHaveLength(1);
  await demo('remove', other.app.id);
  expect((await of('links?limit=100')).links).toEqual([]);
});

it.each([
  ['--days', '0'],
  ['--clicks', 'many'],
])('refuses %s %s', async (name, value) => {
  await expect(demo('fill', app.app.id, name, value)).rejects.toThrow(`${name} must be a whole number`);
});
