import { type InputOf, PushUnregistered, RegisterDevice, UnregisterDevice } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { pushService } from '../service.ts';
import { hashOf, id, registration, sealer } from '../values.testing.ts';

const told = new Map<string, unknown>();

const service: Parameters<typeof handlerSuite>[1]['service'] = (deps) => {
  pushService({ ...deps, sealer, sizeOf: () => [], check: async () => null, wake() {} });
  deps.bus.listen('test', PushUnregistered, async (batch) => {
    for (const { data, context } of batch) told.set(context.id, data);
  });
};

handlerSuite('UnregisterDevice', { service }, (fixture) => {
  beforeEach(() => told.clear());

  const register = async (from: Partial<InputOf<typeof RegisterDevice>> = {}) => {
    fixture.clock.advance({ minutes: 1 });
    const answer = await fixture.bus.ask(RegisterDevice, registration(from));
    return answer.ok ? answer.reply.deviceId : expect.unreachable();
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
