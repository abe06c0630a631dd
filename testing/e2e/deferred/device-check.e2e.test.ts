// GET /api/device-check, for developers who set an app up.
import { LINK_DOMAIN, startDnsServer, type TestApp } from '@landfall/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { expectError, newDevice, patch, post, systemOfFile } from '../calls.ts';

const dns = await startDnsServer({});
afterAll(() => dns.stop());
const { system, calls } = await systemOfFile({ DNS_SERVERS: dns.address });

const check = (app: TestApp, deviceFingerprint: string) =>
  system.sdk(app, { path: `/api/device-check?${new URLSearchParams({ deviceFingerprint })}` });

describe('a check of a device', () => {
  it('tells how the app is set up', async () => {
    const app = await system.makeApp();
    const path = `/api/manage/apps/${app.app.id}`;
    const bare = (await check(app, 'phone')).json;
    const { subdomain } = app.app;
    const hosts = [`${subdomain}.${LINK_DOMAIN}`, `open-${subdomain}.${LINK_DOMAIN}`];
    expect(bare).toEqual({
      success: true,
      app: { hosts, ios: { appId: null }, android: { package: null, certificates: [] } },
      device: { heartbeatSecondsAgo: null, restore: null },
    });
    const { domain } = (await calls.change(post(`${path}/domains`, { domain: 'go.check.example' }))).json;
    expect((await check(app, 'phone')).json.app.hosts).toEqual(hosts);
    dns.records[domain.record.name] = { TXT: [domain.record.value] };
    await calls.change(post(`${path}/domains/${domain.id}/verify`, undefined));
    const certificates = [Array(32).fill('AB').join(':')];
    const ios = { teamId: 'ABCDE12345', bundleId: 'com.example.shop' };
    await calls.change(patch(path, { ios, android: { package: 'com.example.shop', certificates } }));
    expect((await check(app, 'phone')).json.app).toEqual({
      hosts: [...hosts, 'go.check.example'],
      ios: { appId: 'ABCDE12345.com.example.shop' },
      android: { package: 'com.example.shop', certificates },
    });
  });

  it('tells what arrived from the device, and of other people only that there was a link', async () => {
    const app = await system.makeApp();
    const { ip, deviceFingerprint, body } = newDevice();
    await calls.heartbeat(app, body, { ip });
    await calls.restore(app, body, { ip });
    system.clock.advance({ seconds: 12 });
    const { device } = (await check(app, deviceFingerprint)).json;
    expect(device.heartbeatSecondsAgo).toBeGreaterThanOrEqual(12);
    expect(device).toMatchObject({ restore: { found: 0, why: expect.stringContaining('no link was tapped') } });
    expect(device.restore.secondsAgo).toBeGreaterThanOrEqual(12);

    for (const destination of ['/a', '/b'])
      await calls.tap((await system.makeLink(app, destination)).url, { ip, userAgent: `${destination} Android` });
    const second = newDevice();
    await calls.restore(app, { ...second.body, installedSecondsAgo: 5 }, { ip });
    const { why } = (await check(app, second.deviceFingerprint)).json.device.restore;
    expect(why).not.toMatch(/\d/);
  });

  it('needs the key of an app, and a fingerprint', async () => {
    const app = await system.makeApp();
    const path = '/api/device-check?deviceFingerprint=x';
    expectError(await system.send({ path }), 401, 'UNAUTHORIZED');
    const server = await calls.change(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
    expectError(await system.sdk({ ...app, key: server.json.plaintext }, { path }), 401, 'MOBILE_KEY_NEEDED');
    expectError(await system.sdk(app, { path: '/api/device-check' }), 400, 'INVALID_REQUEST');
  });
});
