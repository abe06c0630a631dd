// Deletes a person who uses an app, by email, and looks for what is left in every table.
import { randomUUID } from 'node:crypto';
import { runCommand } from '@landfall/cli/commands';
import { emailHash } from '@landfall/runtime';
import { freshIp, readTables } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { post, systemOfFile } from '../calls.ts';

const SECRET = 'a secret of thirty-two characters';
const ANN = 'Ann@Example.com';

const { system } = await systemOfFile({ HASH_SECRET: SECRET });

const deleted = async (email: string, env: NodeJS.ProcessEnv = {}) => {
  const lines: string[] = [];
  const own = { LANDFALL_DATA: '/nowhere', DATABASE_URL: system.databaseUrl, HASH_SECRET: SECRET };
  await runCommand(['app-users', 'delete', '--json', '--email', email], { ...own, ...env }, (text) => lines.push(text));
  return JSON.parse(lines.join('\n')).deleted as Record<string, number>;
};
const whole = async () => JSON.stringify(await readTables(system));

it('deletes every hash of the email and leaves other people alone', async () => {
  const app = await system.makeApp();
  const link = await system.makeLink(app);
  const ask = async (path: string, body: object) => {
    const answer = await system.sdk(app, { ...post(path, body), ip: freshIp() });
    expect(answer.status, answer.text).toBe(200);
    await system.settled();
  };
  for (const userEmail of [ANN, 'ben@example.com']) {
    const token = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
    await ask('/api/deferred-deep-linking/store', { linkId: link.id, userEmail });
    await ask('/api/deferred-deep-linking/restore', { userEmail });
    await ask('/api/deferred-deep-linking/store', { linkId: link.id, userEmail });
    await ask('/api/push/register', { deviceToken: token, platform: 'ios', userEmail });
  }
  // A device that Ann had before Ben.
  const shared = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
  await ask('/api/push/register', { deviceToken: shared, platform: 'ios', userEmail: ANN });
  await ask('/api/push/register', { deviceToken: shared, platform: 'ios', userEmail: 'ben@example.com' });
  const target = { userEmails: [ANN, 'ben@example.com'] };
  const scheduleAt = new Date(system.clock() + 3_600_000).toISOString();
  const sent = await system.manage(
    post('/api/push/send', { appId: app.app.id, title: 'T', body: 'B', target, scheduleAt }),
  );
  expect(sent.status, sent.text).toBe(200);

  const [ann, ben] = [formsOf(ANN), formsOf('ben@example.com')];
  const before = await whole();
  expect(ann.every((form) => before.includes(form))).toBe(true);
  expect(Object.values(await deleted(ANN, { HASH_SECRET: 'x'.repeat(32) })).every((count) => count === 0)).toBe(true);
  const counts = await deleted(' ann@example.COM');
  expect(counts).toMatchObject({
    'attribution.pending_links': 2,
    'push.devices': 1,
    'push.devices, as the user before': 1,
    'push.notifications, in the target': 1,
  });
  expect(counts['attribution.restores']).toBeGreaterThan(0);
  const after = await whole();
  expect(ann.filter((form) => after.includes(form))).toEqual([]);
  expect(ben.every((form) => after.includes(form))).toBe(true);
  expect(Object.values(await deleted(ANN)).every((count) => count === 0)).toBe(true);
});

/** The hash of an email as PostgreSQL shows it in a column of bytes, and as text in JSON. */
function formsOf(email: string): string[] {
  const hash = emailHash(SECRET, email);
  return [Buffer.from(hash, 'base64url').toString('hex'), hash];
}
