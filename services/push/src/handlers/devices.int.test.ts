import {
  type InputOf,
  PushRegistered,
  PushUnregistered,
  UNREADABLE_LANGUAGE,
  UnregisterDevice,
} from '@landfall/contracts';
import { expect, it } from 'vitest';
import { deviceRepository } from '../repositories/device-repository.ts';
import { pushSuite } from '../suite.testing.ts';
import { hashOf, id, registration, sealer } from '../values.testing.ts';
import { registerDevice } from './devices.ts';

pushSuite('RegisterDevice', { event: PushRegistered }, (fixture) => {
  const { register, told } = fixture;
  const devices = () =>
    fixture.database.rows(
      `select id, app_id, token, kind, platform, environment, email = $1 as ann, email = $2 as ben, first_seen, last_seen,
         dropped_at, drop_reason
       from push.devices order by app_id, token`,
      ['ann', 'ben'].map((email) => Buffer.from(hashOf(email), 'base64url')),
    );

  it('keeps a token of an app as one row, whoever holds it', async () => {
    const deviceId = await register({ email: 'ann' });
    const [first] = await devices();
    expect(first).toMatchObject({ id: deviceId, app_id: id(0xa), token: 'a:token', kind: 'fcm', platform: 'android' });
    expect(first).toMatchObject({ environment: null, ann: true, dropped_at: null });

    // The token now belongs to another user.
    fixture.clock.advance({ days: 1 });
    expect(await register({ email: 'ben' })).toBe(deviceId);
    const [second, ...more] = (await devices()) as { first_seen: Date; last_seen: Date }[];
    expect(more).toEqual([]);
    expect(second).toMatchObject({ id: deviceId, ann: false, ben: true });
    expect(second!.last_seen.getTime() - second!.first_seen.getTime()).toBeGreaterThanOrEqual(86_400_000);

    // The user signs out.
    await register({ country: 'KE', appVersion: '4.2.0' });
    expect(await devices()).toMatchObject([{ ann: null, ben: null }]);
    await fixture.bus.idle();
    const said = { deviceId, appId: id(0xa), platform: 'android', kind: 'fcm', country: null, appVersion: null };
    expect([...told.values()]).toEqual([
      { ...said, signedIn: true },
      { ...said, signedIn: true },
      { ...said, signedIn: false, country: 'KE', appVersion: '4.2.0' },
    ]);
  });

  it('believes a language until another is said, and remembers who was signed in last', async () => {
    const remembered = async () => {
      const [row] = await fixture.database.rows<{ language: string; before: string | null; since: Date | null }>(
        `select language, encode(email_before, 'hex') as before, email_since as since from push.devices`,
      );
      return row!;
    };
    const hex = (name: string) => Buffer.from(hashOf(name), 'base64url').toString('hex');
    await register({ email: 'ann', language: 'de-AT' });
    expect(await remembered()).toEqual({ language: 'de-AT', before: null, since: null });
    fixture.clock.advance({ hours: 1 });
    await register({ email: 'ann' });
    expect(await remembered()).toEqual({ language: 'de-AT', before: null, since: null });
    fixture.clock.advance({ hours: 1 });
    await register({ language: 'fi' });
    const left = await remembered();
    expect(left).toEqual({ language: 'fi', before: hex('ann'), since: expect.any(Date) });
    fixture.clock.advance({ hours: 1 });
    await register();
    expect(await remembered()).toEqual(left);
    fixture.clock.advance({ hours: 1 });
    await register({ email: 'ben' });
    expect((await remembered()).before).toBe(hex('ann'));
    fixture.clock.advance({ hours: 1 });
    await register({ language: UNREADABLE_LANGUAGE });
    expect(await remembered()).toMatchObject({ language: null });
  });

  it('keeps apps and tokens apart', async () => {
    const ids = [await register(), await register({ appId: id(0xb) }), await register({ token: 'another:token' })];
    expect(new Set(ids).size).toBe(3);
    expect(await devices()).toHaveLength(3);
  });

  it("remembers which of Apple's hosts knows a token, also when nothing more is said", async () => {
    const token = 'ab'.repeat(32);
    await register({ token, kind: 'apns', platform: 'ios', environment: 'sandbox' });
    await register({ token, kind: 'apns', platform: 'ios' });
    expect(await devices()).toMatchObject([{ kind: 'apns', environment: 'sandbox' }]);
    await register({ token, kind: 'apns', platform: 'ios', environment: 'production' });
    expect(await devices()).toMatchObject([{ environment: 'production' }]);
  });

  it('brings a token back that was dropped', async () => {
    await register();
    await fixture.database.rows(
      `update push.devices set dropped_at = '2026-11-15T13:00:00Z', drop_reason = 'UNREGISTERED'`,
    );
    fixture.clock.advance({ hours: 2 });
    await register();
    expect(await devices()).toMatchObject([{ dropped_at: null, drop_reason: null }]);
  });

  // All messages can be redelivered at the end and the tables stay as they are: an old message does not bring the
  // device back.
  it('leaves it dropped until then', async () => {
    await register();
    await fixture.database.rows(
      `update push.devices set dropped_at = '2026-11-15T13:00:00Z', drop_reason = 'UNREGISTERED'`,
    );
    await register({ token: 'another:token' });
    expect(await devices()).toMatchObject([{ dropped_at: expect.any(Date) }, { dropped_at: null }]);
  });

  it('is not moved back by one that comes late, or again after others', async () => {
    const handler = registerDevice(deviceRepository(fixture.database), sealer);
    const deliver = (email: string | null, minute: number) => {
      const context = { id: id(minute), now: new Date(Date.UTC(2026, 10, 15, 12, minute)), expired: () => false };
      return handler([{ data: registration({ email }), context } as unknown as Parameters<typeof handler>[0][number]]);
    };
    await deliver('ann', 1);
    await deliver('ben', 3);
    const before = await devices();
    expect(before).toMatchObject([{ ann: false, ben: true }]);
    for (const [email, minute] of [
      ['ben', 3],
      [null, 2],
      ['ann', 1],
    ] as const)
      await deliver(email, minute);
    expect(await devices()).toEqual(before);
  });

  it('keeps what was said last, in whatever order a batch of registrations comes in', async () => {
    const tokens = Array.from({ length: 40 }, (_, n) => `token:${n % 4}`);
    const emails = ['ann', 'ben', null];
    await Promise.all(tokens.map((token, n) => register({ token, email: emails[n % 3]! })));
    // The last four registrations are numbers 36 to 39.
    expect(await devices()).toMatchObject([
      { token: 'token:0', ann: true },
      { token: 'token:1', ben: true },
      { token: 'token:2', ann: null },
      { token: 'token:3', ann: true },
    ]);
  });
});

pushSuite('UnregisterDevice', { event: PushUnregistered }, (fixture) => {
  const { told } = fixture;
  const register: typeof fixture.register = (from) => {
    fixture.clock.advance({ minutes: 1 });
    return fixture.register(from);
  };
  const unregister = async (from: Partial<InputOf<typeof UnregisterDevice>> = {}) => {
    fixture.clock.advance({ minutes: 1 });
    const { appId, tokenHash } = registration();
    const answer = await fixture.bus.ask(UnregisterDevice, { appId, tokenHash, ...from });
    return answer.ok ? answer.reply.deviceId : expect.unreachable();
  };
  const devices = () =>
    fixture.database.rows(
      `select drop_reason, email is null as nobodys, email_before = $1 as of_ann from push.devices order by app_id, token`,
      [Buffer.from(hashOf('ann'), 'base64url')],
    );

  it('takes a device away, with the person who was signed in, and tells it', async () => {
    const deviceId = await register({ email: 'ann' });
    expect(await unregister()).toBe(deviceId);
    expect(await devices()).toEqual([{ drop_reason: 'unregistered-by-app', nobodys: true, of_ann: true }]);
    await fixture.bus.idle();
    expect([...told.values()]).toEqual([{ deviceId, appId: id(0xa), platform: 'android', kind: 'fcm', by: 'app' }]);
  });

  it('finds nothing where there is none, or where it was taken away before', async () => {
    expect(await unregister()).toBeNull();
    await register();
    expect(await unregister({ appId: id(0xb) })).toBeNull();
    expect(await unregister({ tokenHash: hashOf('another:token') })).toBeNull();
    expect(await unregister()).not.toBeNull();
    expect(await unregister()).toBeNull();
    await fixture.bus.idle();
    expect(told.size).toBe(1);
  });

  it('is brought back by the next registration, and can be taken away again', async () => {
    const deviceId = await register();
    await unregister();
    expect(await register({ email: 'ann' })).toBe(deviceId);
    expect(await devices()).toMatchObject([{ drop_reason: null, nobodys: false }]);
    expect(await unregister()).toBe(deviceId);
    await fixture.bus.idle();
    expect(told.size).toBe(2);
  });
});
