import { CheckDevice, FindInstall, NameDevices } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { peopleOf, replyOf } from '../people.testing.ts';
import { attributionService } from '../service.ts';
import { APP, hashOf, id, NOON } from '../values.testing.ts';

handlerSuite('CheckDevice', { service: attributionService }, (fixture) => {
  const { beat, release, restore, store, tap } = peopleOf(fixture);
  const check = async (device = hashOf('phone')) => replyOf(await fixture.bus.ask(CheckDevice, { appId: APP, device }));
  const outcome = async () => {
    const { restore } = await check();
    return restore && `${restore.outcome} ${restore.found}`;
  };

  it('knows nothing of a device that never called', async () => {
    expect(await check()).toEqual({ heartbeatAt: null, restore: null });
  });

  it('knows when the last heartbeat and the last restore came', async () => {
    // Each look at the clock takes a millisecond.
    const minutes = async () => {
      const { heartbeatAt, restore } = await check();
      return [heartbeatAt, restore?.at].map((at) => at?.slice(0, 16));
    };
    await beat();
    expect(await minutes()).toEqual(['2026-11-15T12:00', undefined]);
    fixture.clock.advance({ days: 2 });
    await restore();
    fixture.clock.advance({ days: 1 });
    await beat();
    expect(await minutes()).toEqual(['2026-11-18T12:00', '2026-11-17T12:00']);
    expect(await outcome()).toBe('untapped 0');
    expect(await check(hashOf('another'))).toEqual({ heartbeatAt: null, restore: null });
    fixture.clock.advance({ days: 29 });
    expect(await minutes()).toEqual(['2026-11-18T12:00', undefined]);
  });

  it('says what the last restore gave, and why', async () => {
    await tap();
    await restore();
    expect(await outcome()).toBe('address 1');
    // The same answer again, for a client that did not get the first one.
    fixture.clock.advance({ seconds: 5 });
    await restore();
    expect(await outcome()).toBe('address 1');
    await store({ fingerprint: hashOf('phone') });
    fixture.clock.advance({ minutes: 1 });
    await restore();
    expect(await outcome()).toBe('fingerprint 1');
    await store({ email: hashOf('kim@example.com') });
    await restore({ email: hashOf('kim@example.com') });
    expect(await outcome()).toBe('email 1');
    fixture.clock.advance({ hours: 3 });
    await restore();
    expect(await outcome()).toBe('untapped 0');
  });

  it.each(['referrer', 'clipboard'] as const)('knows a tap that the %s named', async (from) => {
    await tap({}, id(0x77));
    const token = { tapId: id(0x77), linkId: id(1), tappedAt: NOON.toISOString(), from };
    await restore({ token });
    expect(await outcome()).toBe(`${from} 1`);
    await restore({ token });
    expect(await outcome()).toBe(`${from} 1`);
  });

  it('tells of a link that was not given only that there was one', async () => {
    for (const n of [1, 2]) await tap({ linkId: id(n), userAgent: hashOf(`browser ${n}`) });
    await restore();
    expect(await outcome()).toBe('refused 0');
  });

  it('tells of an answer that did not reach the device', async () => {
    await tap();
    await restore({}, id(0x88));
    await release(id(0x88), true);
    expect(await outcome()).toBe('lost 0');
  });

  it('tells nothing of restores when several phones have the fingerprint', async () => {
    await beat();
    await restore();
    expect(await outcome()).toBe('untapped 0');
    fixture.clock.advance({ minutes: 1 });
    await beat({ address: hashOf('elsewhere') });
    expect(await check()).toMatchObject({ heartbeatAt: expect.any(String), restore: null });
  });
});

handlerSuite('FindInstall', { service: attributionService }, (fixture) => {
  const { beat, restore } = peopleOf(fixture);
  const find = (device = hashOf('phone')) => fixture.bus.ask(FindInstall, { appId: APP, device });

  it('knows nothing of a device that never called', async () => {
    expect(await find()).toEqual({ ok: false, refusal: { code: 'DEVICE_NOT_FOUND', facts: {} } });
  });

  it('knows the install, the starts and the users of a device, and that several phones look like it', async () => {
    await beat({ platform: 'ios' });
    for (const user of ['ann', 'ben', 'ann']) {
      await restore({ email: hashOf(user), installedSecondsAgo: 0 });
      fixture.clock.advance({ hours: 1 });
    }
    const first = replyOf(await find());
    const noon = expect.stringMatching(/^2026-11-15T12:00/);
    expect(first).toMatchObject({ platform: 'ios', firstSeen: noon, installedAt: noon, returnedAt: null });
    expect([first.users, first.isShared]).toEqual([[hashOf('ann'), hashOf('ben')], false]);
    await beat({ address: hashOf('elsewhere') });
    expect(replyOf(await find())).toMatchObject({ isShared: true, lastHeartbeatAt: expect.stringMatching(/T15:00/) });
    fixture.clock.advance({ days: 8 });
    await restore();
    expect(replyOf(await find()).returnedAt).toMatch(/^2026-11-23/);
  });
});

handlerSuite('NameDevices', { service: attributionService }, (fixture) => {
  const { beat } = peopleOf(fixture);

  it('finds devices by the first half of their hash', async () => {
    const devices = ['phone', 'tablet'].map(hashOf);
    for (const device of devices) await beat({ fingerprint: device });
    const halfOf = (hash: string) =>
      Buffer.from(hash, 'base64url')
        .toString('hex', 0, 16)
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const halves = [...devices, hashOf('nobody')].map(halfOf);
    const { devices: found } = replyOf(await fixture.bus.ask(NameDevices, { appId: APP, halves }));
    expect(new Map(found.map(({ half, device }) => [half, device]))).toEqual(
      new Map(devices.map((device) => [halfOf(device), device])),
    );
  });
});
