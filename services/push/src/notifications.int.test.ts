import { randomUUID } from 'node:crypto';
import {
  CancelPush,
  CountAudience,
  EditPush,
  FindNotification,
  type InputOf,
  ListNotifications,
  ListPushChanges,
  type PushTarget,
  type ReplyOf,
  SendPush,
  StopPush,
  TryPush,
} from '@landfall/contracts';
import { beforeEach, expect, it } from 'vitest';
import { pushSuite } from './suite.testing.ts';
import { actor, everybody, hashOf, id, message, push, teamId } from './values.testing.ts';

let woken = 0;

const wake = () => {
  woken++;
};

pushSuite('notifications', { wake }, (fixture) => {
  beforeEach(() => {
    woken = 0;
  });

  const appId = id(0xa);
  const { register } = fixture;
  /**
   * Registers three devices of Ann and two of Ben. One of Ben's devices is dropped. Also registers a device without a
   * person, and a device of another app.
   */
  async function registerAll() {
    await Promise.all([
      register({ token: 'ann:1', email: 'ann' }),
      register({ token: 'ann:2', email: 'ann', platform: 'ios' }),
      register({ token: 'cd'.repeat(32), kind: 'apns', email: 'ann', platform: 'ios' }),
      register({ token: 'ben:1', email: 'ben' }),
      register({ token: 'nobody:1', platform: 'ios' }),
      register({ token: 'dropped:1', email: 'ben' }),
      register({ token: 'elsewhere:1', appId: id(0xb) }),
    ]);
    const dropped = [Buffer.from(hashOf('dropped:1'), 'base64url')];
    await fixture.database.rows('update push.devices set dropped_at = last_seen where token_hash = $1', dropped);
  }
  const targeted = async (target: Partial<PushTarget>) => {
    const answer = await fixture.bus.ask(CountAudience, { appId, target: { ...everybody, ...target } });
    return answer.ok ? answer.reply.targeted : expect.unreachable();
  };
  const send = async (from: Partial<InputOf<typeof SendPush>> = {}, messageId?: string) => {
    const answer = await fixture.bus.ask(SendPush, push(from), messageId ? { id: messageId } : {});
    return answer.ok ? answer.reply : expect.unreachable(answer.refusal.code);
  };
  const find = async (notificationId: string) => {
    const answer = await fixture.bus.ask(FindNotification, { notificationId });
    return answer.ok ? answer.reply : expect.unreachable();
  };
  const inHours = (hours: number) => new Date(fixture.clock() + hours * 3_600_000).toISOString();

  it('have an audience', async () => {
    await registerAll();
    expect(await fixture.bus.ask(CountAudience, { appId, target: everybody })).toEqual({
      ok: true,
      reply: { targeted: 5, byKind: { fcm: 4, apns: 1 }, byPlatform: { ios: 3, android: 2 }, emailsWithoutDevice: [] },
    });
    expect(await targeted({ platform: 'ios' })).toBe(3);
    expect(await targeted({ emails: [hashOf('ann')] })).toBe(3);
    expect(await targeted({ emails: [hashOf('ann'), hashOf('ben'), hashOf('nobody')] })).toBe(4);
    expect(await targeted({ emails: [hashOf('ann')], platform: 'ios' })).toBe(2);
    const people = { ...everybody, emails: [hashOf('ann'), hashOf('nobody')] };
    expect(await fixture.bus.ask(CountAudience, { appId, target: people })).toMatchObject({
      reply: { targeted: 3, emailsWithoutDevice: [hashOf('nobody')] },
    });
    expect(await targeted({ tokens: [hashOf('ben:1'), hashOf('elsewhere:1'), hashOf('dropped:1')] })).toBe(1);
    fixture.clock.advance({ days: 3 });
    await register({ token: 'ben:1', email: 'ben' });
    expect(await targeted({ seenWithinDays: 2 })).toBe(1);
    expect(await targeted({ seenWithinDays: 4 })).toBe(5);
    expect(await targeted({ seenWithinDays: 4, tokens: [hashOf('ann:1')], emails: [hashOf('ben')] })).toBe(0);
  });

  it('are sent at once, and once under one id', async () => {
    await registerAll();
    const notificationId = randomUUID();
    const first = await send({}, notificationId);
    expect(first).toEqual({ notificationId, status: 'sending', targeted: 5, withoutCredentials: ['fcm', 'apns'] });
    expect(woken).toBeGreaterThan(0);
    // The first answer stays valid, although another device registers in the meantime.
    await register({ token: 'ann:3', email: 'ann' });
    fixture.clock.advance({ days: 29 });
    expect(await send({}, notificationId)).toEqual(first);
    // This also holds when the audit log no longer contains the first request.
    await fixture.database.rows('delete from push.changes');
    expect(await send({}, notificationId)).toEqual({ ...first, withoutCredentials: [] });
    const other = await fixture.bus.ask(SendPush, push({ message: { ...message, title: 'Other' } }), {
      id: notificationId,
    });
    expect(other).toEqual({ ok: false, refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } });
    expect(await fixture.database.rows('select 1 from push.notifications')).toHaveLength(1);
    expect((await find(notificationId)).notification).toMatchObject({
      appId,
      message,
      target: { platform: null, emails: null, tokens: null, seenWithinDays: null },
      status: 'sending',
      counts: { queued: 5, sent: 0, failed: 0, unknown: 0, opened: 0 },
    });
  });

  it('show what became of them, and why some did not arrive', async () => {
    await registerAll();
    const { notificationId } = await send({ target: { ...everybody, emails: [hashOf('ann')], tokens: [hashOf('x')] } });
    await fixture.database.rows(
      `update push.notifications set expanded_at = now(), targeted = 4, sent = 1, failed = 2, unknown = 1, opened = 1`,
    );
    for (const [state, reason] of [
      ['failed', 'UNREGISTERED'],
      ['failed', 'UNREGISTERED'],
      ['unknown', null],
      ['sent', null],
    ])
      await fixture.database.rows(
        `insert into push.deliveries (id, notification_id, app_id, device_id, kind, state, reason, next_at)
         values ($1, $2, $3, $1, 'fcm', $4, $5, now())`,
        [randomUUID(), notificationId, appId, state, reason],
      );
    const { notification, reasons } = await find(notificationId);
    expect(notification).toMatchObject({
      status: 'sent',
      targeted: 4,
      target: { emails: 1, tokens: 1 },
      counts: { queued: 0, sent: 1, failed: 2, unknown: 1, opened: 1 },
    });
    expect(reasons).toEqual([
      { reason: 'UNREGISTERED', count: 2 },
      { reason: 'unknown', count: 1 },
    ]);
    expect(await fixture.bus.ask(FindNotification, { notificationId: randomUUID() })).toMatchObject({
      refusal: { code: 'NOTIFICATION_NOT_FOUND' },
    });
  });

  it('are sent later, and expire after that', async () => {
    const sendAt = inHours(24);
    const { notificationId, status } = await send({ sendAt, ttlSeconds: 3_600 });
    expect(status).toBe('scheduled');
    const expiresAt = new Date(Date.parse(sendAt) + 3_600_000).toISOString();
    expect((await find(notificationId)).notification).toMatchObject({ status: 'scheduled', sendAt, expiresAt });
    fixture.clock.advance({ hours: 25 });
    expect((await find(notificationId)).notification).toMatchObject({ status: 'sending' });
  });

  it('live long enough to be sent', async () => {
    const { notificationId } = await send({ ttlSeconds: 0 });
    const { createdAt, expiresAt } = (await find(notificationId)).notification;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(10_000);
  });

  it('are sent at once where their time is past', async () => {
    const { notificationId, status } = await send({ sendAt: inHours(-2) });
    expect(status).toBe('sending');
    const { notification } = await find(notificationId);
    expect(notification.sendAt).toBe(notification.createdAt);
  });

  it('are taken back while they are scheduled', async () => {
    const cancel = (notificationId: string) => fixture.bus.ask(CancelPush, { actor, teamId, notificationId });
    const scheduled = await send({ sendAt: inHours(1) });
    const cancelled = await cancel(scheduled.notificationId);
    expect(cancelled).toMatchObject({
      reply: { notification: { status: 'cancelled', counts: { queued: 0 }, cancelledAt: expect.any(String) } },
    });
    const begun = { refusal: { code: 'PUSH_BEGUN' } };
    expect(await cancel(scheduled.notificationId)).toMatchObject(begun);
    expect(await cancel((await send()).notificationId)).toMatchObject(begun);
    const past = await send({ sendAt: inHours(1) });
    fixture.clock.advance({ hours: 2 });
    expect(await cancel(past.notificationId)).toMatchObject(begun);
    const leased = await send({ sendAt: inHours(1) });
    await fixture.database.rows('update push.notifications set leased_until = send_at where id = $1', [
      leased.notificationId,
    ]);
    expect(await cancel(leased.notificationId)).toMatchObject(begun);
    expect(await cancel(randomUUID())).toMatchObject({ refusal: { code: 'NOTIFICATION_NOT_FOUND' } });
  });

  const stop = (notificationId: string) => fixture.bus.ask(StopPush, { actor, teamId, notificationId });
  const edit = (notificationId: string, from: Partial<InputOf<typeof EditPush>> = {}) =>
    fixture.bus.ask(EditPush, { actor, teamId, notificationId, ifVersion: null, message: {}, ...from });
  const actions = async () =>
    (await fixture.database.rows<{ action: string }>('select action from push.changes order by at')).map(
      ({ action }) => action,
    );

  it('are stopped while they are sent, once, and say how many were left', async () => {
    await registerAll();
    const { notificationId } = await send();
    await fixture.database.rows('update push.notifications set sent = 2, failed = 1 where id = $1', [notificationId]);
    woken = 0;
    const stopped = await stop(notificationId);
    expect(stopped).toMatchObject({ ok: true, reply: { notification: { status: 'stopped', version: 2 } } });
    expect(stopped.ok && stopped.reply.notification.counts).toEqual({
      ...{ queued: 0, sent: 2, failed: 1, unknown: 0, logged: 0, opened: 0, stopped: 2 },
    });
    expect(woken).toBeGreaterThan(0);
    fixture.clock.advance({ minutes: 1 });
    expect(await stop(notificationId)).toEqual(stopped);
    expect(await actions()).toEqual(['SendPush', 'StopPush']);
    // A worker that begins with this notification finds nothing to do.
    const rows = 'select stopping, expanded_at is not null as expanded from push.notifications where id = $1';
    expect(await fixture.database.rows(rows, [notificationId])).toEqual([{ stopping: true, expanded: true }]);
    const cancelled = await fixture.bus.ask(CancelPush, { actor, teamId, notificationId });
    expect(cancelled).toMatchObject({ refusal: { code: 'PUSH_BEGUN' } });
  });

  it('are taken back by a stop while they are scheduled; what was sent cannot be stopped', async () => {
    await registerAll();
    const later = await send({ sendAt: inHours(1) });
    const taken = { ok: true, reply: { notification: { status: 'cancelled', stoppedAt: null } } };
    expect(await stop(later.notificationId)).toMatchObject(taken);
    expect(await stop(later.notificationId)).toMatchObject(taken);
    const { notificationId } = await send();
    await fixture.database.rows('update push.notifications set sent = 5, expanded_at = send_at where id = $1', [
      notificationId,
    ]);
    expect(await stop(notificationId)).toMatchObject({ refusal: { code: 'PUSH_SENT' } });
    expect(await stop(randomUUID())).toMatchObject({ refusal: { code: 'NOTIFICATION_NOT_FOUND' } });
  });

  it('are edited while they are scheduled: what is left out stays', async () => {
    await registerAll();
    const { notificationId } = await send({ sendAt: inHours(1), ttlSeconds: 600 });
    const before = (await find(notificationId)).notification;
    const change = { title: 'Other', sound: 'bell', localized: { de: { title: 'Anders' } } };
    const first = await edit(notificationId, { ifVersion: 1, message: change });
    expect(first).toMatchObject({ ok: true, reply: { notification: { ...before, version: 2, message: change } } });
    expect(first.ok && first.reply.notification.message.body).toBe(message.body);
    const [sendAt, target] = [inHours(5), { ...everybody, platform: 'ios' as const }];
    const second = await edit(notificationId, { sendAt, target });
    const expiresAt = new Date(Date.parse(sendAt) + 600_000).toISOString();
    expect(second).toMatchObject({ reply: { notification: { sendAt, expiresAt, targeted: 3, version: 3, target } } });
    expect((await find(notificationId)).notification).toEqual(second.ok && second.reply.notification);
    expect(await edit(notificationId, { sendAt: inHours(-1) })).toMatchObject({
      reply: { notification: { status: 'sending' } },
    });
    expect(await edit(notificationId)).toMatchObject({ refusal: { code: 'PUSH_BEGUN' } });
  });

  it('are not edited as nobody may mean it', async () => {
    const { notificationId } = await send({ sendAt: inHours(1) });
    const refused = async (code: string, from: Partial<InputOf<typeof EditPush>>) =>
      expect(await edit(notificationId, from)).toMatchObject({ ok: false, refusal: { code } });
    await refused('VERSION_MISMATCH', { ifVersion: 2 });
    await refused('PUSH_TOO_LARGE', { message: { body: '界'.repeat(2_000) } });
    await refused('PUSH_WITHOUT_TITLE', { message: { title: '', body: '' } });
    expect((await find(notificationId)).notification).toMatchObject({ version: 1, message });
    // A worker has begun with this notification.
    await fixture.database.rows('update push.notifications set leased_until = send_at where id = $1', [notificationId]);
    await refused('PUSH_BEGUN', { message: { title: 'x' } });
    expect(await edit(randomUUID())).toMatchObject({ refusal: { code: 'NOTIFICATION_NOT_FOUND' } });
    expect(await actions()).toEqual(['SendPush']);
  });

  it('are refused where one provider does not take them, also to try', async () => {
    const tooLong = { ...message, body: '界'.repeat(2_000) };
    const refusal = {
      code: 'PUSH_TOO_LARGE',
      facts: { kind: 'fcm', platform: 'ios', language: null, bytes: expect.any(Number), limit: 4_096 },
    };
    expect(await fixture.bus.ask(SendPush, push({ message: tooLong }))).toEqual({ ok: false, refusal });
    expect(await fixture.bus.ask(TryPush, { appId, message: tooLong, target: everybody })).toEqual({
      ok: false,
      refusal,
    });
    await registerAll();
    expect(await fixture.bus.ask(TryPush, { appId, message, target: everybody })).toMatchObject({
      reply: { targeted: 5, withoutCredentials: ['fcm', 'apns'] },
    });
    expect(await fixture.database.rows('select 1 from push.notifications')).toEqual([]);
  });

  it('are listed latest first, page by page, of one app', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 5; n++) sent.unshift((await send()).notificationId);
    await send({ appId: id(0xb) });
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const { reply } = (await fixture.bus.ask(ListNotifications, { appId, limit: 2, cursor })) as {
        reply: ReplyOf<typeof ListNotifications>;
      };
      listed.push(...reply.notifications.map((one) => one.id));
      cursor = reply.next;
    } while (cursor);
    expect(listed).toEqual(sent);
  });

  it('stand in the audit log of their team, with nobody they are for', async () => {
    const target = { ...everybody, emails: [hashOf('ann')], tokens: [hashOf('ann:1')] };
    const { notificationId } = await send({ sendAt: inHours(1), target });
    await fixture.bus.ask(CancelPush, { actor, teamId, notificationId });
    await send({ teamId: id(0x7eb) });
    const list = async (of: Partial<InputOf<typeof ListPushChanges>> = {}) => {
      const asked = { teamId, appId: null, userId: null, limit: 10, cursor: null, ...of };
      const answer = await fixture.bus.ask(ListPushChanges, asked);
      return answer.ok ? answer.reply : expect.unreachable();
    };
    const { entries, next } = await list();
    expect(next).toBeNull();
    expect(entries.map(({ action, subject }) => ({ action, subject }))).toEqual([
      { action: 'CancelPush', subject: notificationId },
      { action: 'SendPush', subject: notificationId },
    ]);
    const { userId, tokenId, kind } = actor;
    expect(entries[1]).toMatchObject({ appId, teamId, actor: { kind, userId, tokenId }, address: actor.address });
    expect(entries[1]?.after).toMatchObject({ title: 'Hello', target: { emails: 1, tokens: 1 } });
    expect(JSON.stringify(entries)).not.toContain(hashOf('ann'));
    const page = await list({ limit: 1 });
    expect(page.entries).toEqual([entries[0]]);
    expect((await list({ limit: 1, cursor: page.next })).entries).toEqual([entries[1]]);
    expect((await list({ appId: id(0xb) })).entries).toEqual([]);
    expect((await list({ userId: id(0xbad) })).entries).toEqual([]);
    expect((await list({ actorKind: 'operator' })).entries).toEqual([]);
    expect((await list({ actorKind: kind })).entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ before: { title: 'Hello' }, after: { title: 'Hello' } });
  });
});
