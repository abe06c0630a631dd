// examples/invite-backend: from the invitation to the first start of the app.
import type { AddressInfo } from 'node:net';
import { Landfall } from '@landfall/node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { inviteBackend, type Mail } from '../../../examples/invite-backend/src/invite-backend.ts';
import { newDevice, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp();
const key = await calls.change(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
const mails: Mail[] = [];

function backendWith(key: string) {
  const landfall = new Landfall({ url: `http://127.0.0.1:${system.port}`, key });
  const server = inviteBackend(landfall, async (mail) => void mails.push(mail));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, () => resolve())));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return (body: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/invitations`, { method: 'POST', body });
}
const invite = backendWith(key.json.plaintext);
const withWrongKey = backendWith(`ol_${'0'.repeat(32)}`);
const invitation = JSON.stringify({ id: '42', from: 'Ann', to: 'ben@example.com' });

it('brings the invited person to the invitation, through the store', async () => {
  const { url } = (await (await invite(invitation)).json()) as { url: string };
  expect(mails.splice(0)).toEqual([
    { to: 'ben@example.com', subject: 'Ann invites you', text: `Ann shares a list with you: ${url}` },
  ]);
  const { ip, body } = newDevice();
  await calls.tap(url, { ip });
  const restored = await calls.restore(app, body, { ip });
  expect(restored.json.restoredLinks).toMatchObject([
    { destination: '/invite?code=42', metadata: { inviter: 'Ann', campaign: 'invitation' } },
  ]);
});

it('invites once', async () => {
  const again = await invite(invitation);
  expect([again.status, mails]).toEqual([200, []]);
});

it('says what is wrong with an invitation, and when to come again', async () => {
  for (const wrong of ['{', 'null', '{"id":"1","from":"Ann","to":"ben"}'])
    expect((await invite(wrong)).status).toBe(400);
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const failed = await withWrongKey(invitation);
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
  expect(said.mock.calls[0]?.[0]).toContain('UNAUTHORIZED');
  said.mockRestore();
});
