// The command that fills an app with made-up events, and removes them.
import { runCommand } from '@landfall/cli/commands';
import { connect } from '@landfall/db';
import { afterAll, expect, it } from 'vitest';
import { systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp({ timeZone: 'Asia/Kolkata' });
// The command has the clock of this machine. What is still to come is in no figure.
system.clock.advance({ ms: Date.now() - system.clock() });

const database = connect({ url: system.databaseUrl, max: 1 });
afterAll(() => database.close());

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
  expect(links).toContainEqual(
    expect.objectContaining({
      name: 'Launch instagram story',
      tags: ['launch', 'social'],
      createdBy: { kind: 'operator', userId: null, name: null },
    }),
  );
  const { restores } = await of('restores');
  const outcomes = new Set(restores.map(({ matchType, outcome }: Record<string, string>) => matchType ?? outcome));
  // A fill this small may have a start that came too late, or one that nobody can decide about.
  for (const rare of ['beyond', 'refused']) outcomes.delete(rare);
  expect([...outcomes].sort()).toEqual(['address', 'token', 'untapped']);
  expect((await of('devices?limit=100')).devices).toHaveLength(24);
  expect((await of('notifications')).notifications).toHaveLength(1);
  await demo('remove', other.app.id);
  expect((await of('links?limit=100')).links).toEqual([]);
});

it('leads from a made-up figure to its rows: the restore with its reasons, the tap, the device', async () => {
  const other = await system.makeApp();
  const of = async (path: string) => (await system.manage({ path: `/api/manage/apps/${other.app.id}/${path}` })).json;
  // So many that the rare decisions are among them: one start in a hundred is late, and one is of two neighbours.
  await demo('fill', other.app.id, '--clicks', '8000', '--days', '14', '--no-phones');
  await system.settled();
  const from = new Date(Date.now() - 13 * 86_400_000).toISOString();
  const { events, total } = await of(`analytics/events?figure=restores&from=${from}&limit=100`);
  const { total: installs } = await of(`analytics/events?figure=installs&from=${from}&limit=100`);
  const restores = await allOf(`/api/manage/apps/${other.app.id}/restores?from=${from}`);
  const found = restores.filter(({ matchType }) => matchType !== null);
  expect([found.length, restores.length]).toEqual([total, installs]);

  const takenBy = (one: Listed) => one.considered.filter(({ taken }) => taken);
  const restoreOf = new Map(found.flatMap((one) => takenBy(one).map((tap) => [tap.pendingLinkId, one])));
  for (const { tapId, deviceId, matchType } of events)
    expect(restoreOf.get(tapId), tapId).toMatchObject({ device: deviceId, matchType });
  const reasons = restores.map(({ summary }) => summary).join('\n');
  for (const reason of [
    /1 link by address: tapped/,
    /1 link by token/,
    /nothing: no tap at this address/,
    /2 different links/,
  ])
    expect(reasons).toMatch(reason);
  expect(restores.some(({ considered, near }) => considered.length === 0 && near.length > 0)).toBe(true);

  const [event] = events;
  const { taps } = (await system.manage({ path: `/api/manage/links/${event.link.id}/taps?limit=100` })).json;
  const restore = restoreOf.get(event.tapId)!;
  const why = takenBy(restore)[0]!.reason;
  const outcome = { state: 'given', why, restoreId: restore.id, deviceId: event.deviceId };
  expect(taps).toContainEqual(expect.objectContaining({ tapId: event.tapId, outcome }));
  const { entries } = await of(`devices/${event.deviceId}/timeline`);
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['tap', 'installed', 'restore']),
  );

  await demo('remove', other.app.id);
  for (const table of ['pending_links', 'restores', 'devices', 'contacts', 'activity'])
    expect(await database.rows(`select from attribution.${table} where app_id = $1`, [other.app.id]), table).toEqual(
      [],
    );
});

interface Listed {
  id: string;
  device: string;
  matchType: string | null;
  summary: string;
  considered: { pendingLinkId: string; taken: boolean; reason: string }[];
  near: object[];
}
async function allOf(path: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor = ''; ; ) {
    const { restores, next } = (await system.manage({ path: `${path}&limit=100${cursor}` })).json;
    found.push(...restores);
    if (next === null) return found;
    cursor = `&cursor=${next}`;
  }
}

it.each([
  ['--days', '0'],
  ['--clicks', 'many'],
])('refuses %s %s', async (name, value) => {
  await expect(demo('fill', app.app.id, name, value)).rejects.toThrow(`${name} must be a whole number`);
});
