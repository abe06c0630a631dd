// What the set-up page shows of the clients that call.
// Over Kafka: calls of clients are published.
import { expect, it } from 'vitest';
import { fcmToken, newDevice, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();

it('the calls of clients are listed, with the evidence that came and without its values', async () => {
  const app = await system.makeApp();
  const link = await system.makeLink(app);
  const { ip, body } = newDevice();
  const headers = { 'x-landfall-client': '@landfall/react-native/1.0.0' };
  await calls.heartbeat(app, { ...body, platform: 'android' }, { ip, headers });
  const evidence = { platform: 'android', model: 'Pixel 8', installReferrer: '', userEmail: 'kim@example.com' };
  await calls.restore(app, { ...body, ...evidence }, { ip, headers });
  await calls.register(app, { deviceToken: fcmToken(), platform: 'android' }, { headers });
  const path = `/api/links/get-by-slug?slug=${link.slug}&appId=${app.app.id}`;
  await system.sdk(app, { path, headers: { 'user-agent': 'okhttp/4.12.0', ...headers } });
  await system.sdk(app, { path, headers: { 'user-agent': 'curl/8.5.0' } });
  // Without a key nobody knows whose client it is.
  await calls.resolve({ slug: link.slug, appId: app.app.id }, { headers: { 'user-agent': 'other/1' } });

  const list = async () => (await system.manage({ path: `/api/manage/apps/${app.app.id}/clients` })).json.clients;
  const names = (clients: { client: string; calls: object }[]) =>
    clients.map(({ client, calls }) => `${client} ${Object.keys(calls).sort()}`).sort();
  await expect
    .poll(async () => names(await list()), { timeout: 10_000 })
    .toEqual(['@landfall/react-native/1.0.0 heartbeat,lookUp,push,restore', 'curl lookUp']);
  const ours = (await list()).find(({ platform }: { platform: string | null }) => platform === 'android');
  expect(ours).toEqual({
    platform: 'android',
    client: '@landfall/react-native/1.0.0',
    calls: expect.anything(),
    restore: {
      sent: {
        installedSecondsAgo: false,
        installReferrer: false,
        clipboard: false,
        model: true,
        osVersion: false,
        language: false,
        addressToken: false,
        user: true,
      },
      found: 0,
      matchType: null,
    },
  });
});
