import { randomUUID } from 'node:crypto';
import { PushOpened, RecordOpen, SendPush } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { pushSuite } from '../suite.testing.ts';
import { hashOf, id, open, push } from '../values.testing.ts';

/** The facts that the app sent with each open, unless a test changes them. */
const sent = { platform: null, country: null, appVersion: null };

pushSuite('RecordOpen', { event: PushOpened }, (fixture) => {
  const { register, told } = fixture;
  const send = async () => {
    const answer = await fixture.bus.ask(SendPush, push());
    return answer.ok ? answer.reply.notificationId : expect.unreachable();
  };
  const deliver = async (notificationId: string, deviceId: string) => {
    await fixture.database.rows(
      `insert into push.deliveries (id, notification_id, app_id, device_id, kind, state, next_at)
       values ($1, $2, $3, $4, 'fcm', 'sent', now())`,
      [randomUUID(), notificationId, id(0xa), deviceId],
    );
  };
  const known = async (asked: ReturnType<typeof open>) => {
    const answer = await fixture.bus.ask(RecordOpen, asked);
    return answer.ok ? answer.reply.known : expect.unreachable();
  };
  const counted = async () =>
    (await fixture.database.rows<{ opened: number }>('select opened from push.notifications order by id')).map(
      ({ opened }) => opened,
    );
  const said = async () => {
    await fixture.bus.idle();
    return [...told.values()];
  };

  it('counts a device once, however often it says so', async () => {
    const deviceId = await register();
    const notificationId = await send();
    await deliver(notificationId, deviceId);
    for (const spelt of [notificationId, notificationId, notificationId.toUpperCase()])
      expect(await known(open(spelt))).toBe(true);
    expect(await counted()).toEqual([1]);
    const [delivery] = await fixture.database.rows<{ opened_at: Date | null }>('select opened_at from push.deliveries');
    expect(delivery?.opened_at).toBeInstanceOf(Date);
    const appId = id(0xa);
    expect((await said())[0]).toEqual({ ...sent, notificationId, known: true, appId, deviceId, platform: 'android' });
    expect(told.size).toBe(1);
  });

  it('counts it once, also where nobody remembers who said so', async () => {
    const deviceId = await register();
    const notificationId = await send();
    await deliver(notificationId, deviceId);
    await known(open(notificationId));
    await fixture.database.rows('delete from push.opens');
    await known(open(notificationId));
    expect(await counted()).toEqual([1]);
  });

  it('counts many devices in one batch, of several notifications', async () => {
    const devices = await Promise.all(Array.from({ length: 10 }, (_, n) => register({ token: `token:${n}` })));
    const sent = [await send(), await send()];
    for (const notificationId of sent) for (const deviceId of devices) await deliver(notificationId, deviceId);
    const twice = [...devices.keys(), ...devices.keys()];
    await Promise.all(twice.flatMap((n) => sent.map((one) => known(open(one, `token:${n}`)))));
    expect(await counted()).toEqual([10, 10]);
    expect(await said()).toHaveLength(20);
  });

  it('takes what nobody knows, and says so', async () => {
    const appId = id(0xa);
    const deviceId = await register();
    expect(await known(open('of another service'))).toBe(false);
    expect(await known(open('of another service'))).toBe(false);
    const unknown = randomUUID();
    expect(await known(open(unknown, 'nobodys:token'))).toBe(false);
    const notificationId = await send();
    expect(await known(open(notificationId, 'nobodys:token'))).toBe(true);
    expect(await counted()).toEqual([0]);
    expect(await said()).toEqual([
      { ...sent, notificationId: 'of another service', known: false, appId, deviceId, platform: 'android' },
    ]);
  });

  it('knows no notification of another app', async () => {
    const notificationId = await send();
    expect(await known({ ...open(notificationId), appId: id(0xb) })).toBe(false);
    expect(await known({ ...open(notificationId), tokenHash: hashOf('x') })).toBe(true);
  });

  it('tells what the app said, and the platform of the device that it knows', async () => {
    await register();
    const from = { platform: 'ios', country: 'KE', appVersion: '4.2.0' } as const;
    const first = { ...open('first'), ...from };
    const messageId = randomUUID();
    await fixture.bus.ask(RecordOpen, first, { id: messageId });
    const before = await said();
    expect(before).toMatchObject([{ ...from, platform: 'android' }]);
    // A later delivery of the message tells the same, whatever the device is then.
    await fixture.database.rows(`update push.devices set platform = 'ios'`);
    told.clear();
    await fixture.bus.ask(RecordOpen, first, { id: messageId });
    expect(await said()).toEqual(before);
  });

  it('takes one that does not say which device it is, or names one that nobody registered, and tells nobody', async () => {
    const notificationId = await send();
    for (const token of [null, null, 'nobodys:token', 'nobodys:token'])
      expect(await known(open(notificationId, token))).toBe(true);
    expect(await said()).toEqual([]);
    expect(await counted()).toEqual([0]);
  });

  it('counts no device that it was not sent to', async () => {
    await register();
    expect(await known(open(await send()))).toBe(true);
    expect(await counted()).toEqual([0]);
  });
});
