import {
  CountAudience,
  DeleteDevice,
  FindDevice,
  ListDevices,
  ListPushChanges,
  PushUnregistered,
  type ReplyOf,
  UnregisterDevice,
} from '@landfall/contracts';
import { describe, expect, it } from 'vitest';
import { storeNotification } from '../delivery/queue.testing.ts';
import { sentStatement } from '../repositories/delivery-repository.ts';
import { pushSuite } from '../suite.testing.ts';
import { actor, everybody, hashOf, id, registration, teamId } from '../values.testing.ts';

pushSuite('one device', { event: PushUnregistered }, (fixture) => {
  const appId = id(0xa);
  const register: typeof fixture.register = (from) => {
    fixture.clock.advance({ hours: 1 });
    return fixture.register(from);
  };
  const find = async (deviceId: string, limit = 50, cursor: string | null = null) => {
    const answer = await fixture.bus.ask(FindDevice, { appId, deviceId, limit, cursor });
    return answer.ok ? answer.reply : answer.refusal.code;
  };
  const historyOf = async (deviceId: string) => {
    const found = await find(deviceId);
    return typeof found === 'string' ? found : found.events.map(({ kind, explanation }) => `${kind}: ${explanation}`);
  };
  const remove = async (deviceId: string, of = appId) => {
    fixture.clock.advance({ hours: 1 });
    const answer = await fixture.bus.ask(DeleteDevice, { actor, teamId, appId: of, deviceId });
    return answer.ok ? 'deleted' : answer.refusal.code;
  };
  const rows = () =>
    fixture.database.rows(
      'select token, email, email_before, language, environment, drop_reason from push.devices order by token_hash',
    );

  describe('its history', () => {
    /** Stores what became of a notification on a device. */
    async function send(deviceId: string, state: string, more: { reason?: string; opened?: boolean } = {}) {
      fixture.clock.advance({ hours: 1 });
      const at = new Date(fixture.clock());
      const notificationId = await storeNotification(fixture.database, { appId, sendAt: at });
      await fixture.database.rows('update push.notifications set created_at = $2 where id = $1', [notificationId, at]);
      await fixture.database.rows(
        `insert into push.deliveries (id, notification_id, app_id, device_id, kind, state, reason, next_at, ended_at, opened_at)
         values (gen_random_uuid(), $1, $2, $3, 'fcm', $4, $5, $6::timestamptz, $6, case when $7 then $6::timestamptz + interval '1 minute' end)`,
        [notificationId, appId, deviceId, state, more.reason ?? null, at, more.opened ?? false],
      );
      return notificationId;
    }

    it('has its registrations, its users, and what became of each push, latest first', async () => {
      const deviceId = await register({ email: 'ann' });
      await send(deviceId, 'sent', { opened: true });
      await register({ email: 'ben' });
      await send(await register({ token: 'another' }), 'sent');
      const failed = await send(deviceId, 'failed', { reason: 'UNREGISTERED' });
      expect(await historyOf(deviceId)).toEqual([
        'push: It was not delivered, because the app was removed from the device, or its token was replaced (UNREGISTERED).',
        'seen: The app registered the device again. Earlier times are not kept.',
        'person: Another user signed in.',
        'opened: The user opened it.',
        expect.stringMatching(/^push: The provider took it on .*Whether the device showed it nobody is told\.$/),
        'registered: The app registered the device.',
      ]);
      expect(await find(deviceId)).toMatchObject({
        device: { id: deviceId, state: 'live' },
        events: [{ state: 'failed', notificationId: failed, title: 'Hello' }, {}, {}, {}, { state: 'sent' }, {}],
        next: null,
      });
    });

    it('says when the app unregistered, once', async () => {
      const deviceId = await register({ email: 'ann' });
      fixture.clock.advance({ hours: 1 });
      await fixture.bus.ask(UnregisterDevice, { appId, tokenHash: registration().tokenHash });
      expect(await historyOf(deviceId)).toEqual([
        'dropped: Nothing is sent there any more, because the app said that it wants no more pushes there (unregistered-by-app).',
        'registered: The app registered the device.',
      ]);
    });

    it('goes on page by page, and the first page has the registrations', async () => {
      const deviceId = await register();
      const sent = [await send(deviceId, 'sent'), await send(deviceId, 'sent'), await send(deviceId, 'sent')];
      const seen: (string | null)[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page = await find(deviceId, 1, cursor);
        if (typeof page === 'string') return expect.unreachable();
        seen.push(...page.events.map(({ notificationId }) => notificationId));
        cursor = page.next;
        pages++;
      } while (cursor !== null && pages < 9);
      expect(seen).toEqual([sent[2], null, sent[1], sent[0]]);
    });

    it('is for this app only', async () => {
      expect(await find(id(1))).toBe('DEVICE_NOT_FOUND');
      expect(await find(await register({ appId: id(0xb) }))).toBe('DEVICE_NOT_FOUND');
    });

    it('reads an index, one look for each notification', async () => {
      const deviceId = await register();
      await send(deviceId, 'sent');
      await fixture.database.rows(
        `insert into push.deliveries (id, notification_id, app_id, device_id, kind, next_at)
         select gen_random_uuid(), (select id from push.notifications), $1, gen_random_uuid(), 'fcm', now()
         from generate_series(1, 5000)`,
        [appId],
      );
      const { plan } = await fixture.database.transaction(async (tx) => {
        await tx.rows(`prepare sent (uuid, timestamptz, uuid, uuid, int) as ${sentStatement}`);
        const [row] = await tx.rows<{ 'QUERY PLAN': object }>(
          `explain (format json) execute sent ('${appId}', now() + interval '1 year', '${id(1)}', '${deviceId}', 50)`,
        );
        await tx.rows('deallocate sent');
        return { plan: JSON.stringify(row) };
      });
      expect(plan).toContain('deliveries_notification_id_device_id_idx');
      expect(plan).not.toMatch(/Hash Join|Merge Join/);
    });
  });

  it('is in the list of its platform, which says how many there are', async () => {
    for (const token of ['a', 'b']) await register({ token, email: 'ann' });
    await register({ token: 'c', platform: 'ios' });
    const list = async (asked: object) => {
      const wanted = { appId, email: null, limit: 1, cursor: null, ...asked };
      const { reply } = (await fixture.bus.ask(ListDevices, wanted)) as { reply: ReplyOf<typeof ListDevices> };
      return [reply.devices.map(({ platform }) => platform), reply.total, reply.next !== null];
    };
    expect(await list({})).toEqual([[expect.anything()], 3, true]);
    expect(await list({ platform: 'android' })).toEqual([['android'], 2, true]);
    expect(await list({ platform: 'ios', limit: 2 })).toEqual([['ios'], 1, false]);
    expect(await list({ email: hashOf('ann'), limit: 3 })).toEqual([['android', 'android'], 2, false]);
    expect(await list({ email: hashOf('ann'), platform: 'ios' })).toEqual([[], 0, false]);
    expect(await list({ email: hashOf('ann') })).toEqual([['android'], null, true]);
  });

  it('is found by its id, and by the first digits of it that lists show', async () => {
    const deviceId = await register({ token: 'a' });
    await register({ token: 'b' });
    const idsOf = async (idStart: string, of = appId) => {
      const wanted = { appId: of, email: null, idStart, limit: 10, cursor: null };
      const { reply } = (await fixture.bus.ask(ListDevices, wanted)) as { reply: ReplyOf<typeof ListDevices> };
      return reply.devices.map(({ id }) => id);
    };
    const hex = deviceId.replaceAll('-', '');
    for (const idStart of [hex, hex.slice(0, 8), hex.slice(0, 13)]) expect(await idsOf(idStart)).toEqual([deviceId]);
    expect(await idsOf(hex, id(77))).toEqual([]);
    await remove(deviceId);
    expect(await idsOf(hex)).toEqual([]);
  });

  describe('its deletion', () => {
    it('removes the token and everything about its users, and tells it', async () => {
      const deviceId = await register({ email: 'ann', language: 'de' });
      await register({ email: 'ben' });
      expect(await remove(deviceId)).toBe('deleted');
      expect(await rows()).toEqual([
        { token: '', email: null, email_before: null, language: null, environment: null, drop_reason: 'deleted' },
      ]);
      expect(await find(deviceId)).toBe('DEVICE_NOT_FOUND');
      for (const email of [null, hashOf('ann'), hashOf('ben')])
        expect(await fixture.bus.ask(ListDevices, { appId, email, limit: 10, cursor: null })).toMatchObject({
          reply: { devices: [] },
        });
      expect(await fixture.bus.ask(CountAudience, { appId, target: everybody })).toMatchObject({
        reply: { targeted: 0 },
      });
      await fixture.bus.idle();
      expect([...fixture.told.values()]).toEqual([{ deviceId, appId, platform: 'android', kind: 'fcm', by: 'person' }]);
    });

    it('is in the audit log, without the token and its users', async () => {
      const deviceId = await register({ email: 'ann' });
      await remove(deviceId);
      const changes = await fixture.bus.ask(ListPushChanges, { teamId, appId, userId: null, limit: 10, cursor: null });
      expect(changes).toMatchObject({
        reply: {
          entries: [
            {
              ...{ action: 'DeleteDevice', subject: deviceId, after: null },
              before: { platform: 'android', kind: 'fcm', dropReason: null },
            },
          ],
        },
      });
    });

    it('finds nothing in another app, or a second time', async () => {
      const deviceId = await register();
      expect(await remove(deviceId, id(0xb))).toBe('DEVICE_NOT_FOUND');
      expect(await remove(deviceId)).toBe('deleted');
      expect(await remove(deviceId)).toBe('DEVICE_NOT_FOUND');
      expect(await remove(id(1))).toBe('DEVICE_NOT_FOUND');
    });

    // The suite delivers all messages again at the end: the registration before the deletion does not bring it back.
    it('lasts until the app registers again. Then the device is a new one', async () => {
      const deviceId = await register({ email: 'ann' });
      await remove(deviceId);
      expect(await register({ email: 'ben' })).toBe(deviceId);
      expect(await rows()).toMatchObject([{ token: 'a:token', email_before: null, drop_reason: null }]);
      expect(await historyOf(deviceId)).toEqual(['registered: The app registered the device.']);
    });
  });
});
