import { DescribeRollout, type InputOf, ListRestores, RestoreFilter } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { peopleOf, phone, replyOf } from '../people.testing.ts';
import { attributionService } from '../service.ts';
import { APP, CHROME, clicked, hashOf, id, matching } from '../values.testing.ts';

const logged: { fields: object; message: string }[] = [];

const service: Parameters<typeof handlerSuite>[1]['service'] = (deps) => {
  const info = (fields: object, message: string) => logged.push({ fields, message });
  attributionService({ ...deps, log: { ...deps.log, info } });
};

handlerSuite('DescribeRollout', { service }, (fixture) => {
  beforeEach(() => logged.splice(0));

  const { beat, restored, rows, tap } = peopleOf(fixture);
  const LONG_AGO = '2026-01-01T00:00:00.000Z';
  const describeRollout = async (question: Partial<InputOf<typeof DescribeRollout>> = {}) => {
    const asked = { appId: APP, appCreatedAt: LONG_AGO, existingUsers: true, ...question };
    return replyOf(await fixture.bus.ask(DescribeRollout, asked));
  };
  const at = (n: number) => ({ ...phone(n), address: hashOf(`home ${n}`) });
  const restore = (question: Parameters<typeof restored>[0]) =>
    restored({ matching: matching({ existingUsers: true }), appCreatedAt: LONG_AGO, ...question });
  const phones = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i);
  const reasons = () =>
    logged.filter(({ message }) => message.startsWith('matching by address')).map(({ fields }) => fields);
  const counts = async () => (await describeRollout()).devices;

  it('counts each device once a day, by its heartbeat or its restore, and for the first time once', async () => {
    expect(await counts()).toEqual({ seen: 0, firstSeen: 0 });
    for (const n of phones(5)) await beat(at(n));
    for (const n of phones(7)) await restore(at(n));
    for (const n of phones(5)) await beat(at(n));
    await restore({ fingerprint: null, email: hashOf('kim@example.com') });
    await restore({ fingerprint: null, installedSecondsAgo: 5 });
    for (const _ of [1, 2]) await beat(at(0), id(7));
    expect(await counts()).toEqual({ seen: 8, firstSeen: 8 });
    expect((await describeRollout({ appId: id(0xb) })).devices).toEqual({ seen: 0, firstSeen: 0 });

    fixture.clock.advance({ days: 2 });
    expect(await counts()).toEqual({ seen: 0, firstSeen: 0 });
    for (const n of phones(9)) await Promise.all([beat(at(n)), restore(at(n))]);
    expect(await counts()).toEqual({ seen: 9, firstSeen: 2 });
  });

  it('counts two new devices of an address in an hour, and ten of a /48', async () => {
    const from = (n: number, address: string, site: string | null) =>
      beat({ ...phone(n), address: hashOf(address), site });
    for (const n of phones(5)) await from(n, 'one address', null);
    expect(await counts()).toEqual({ seen: 2, firstSeen: 2 });
    fixture.clock.advance({ hours: 1 });
    await from(10, 'one address', null);
    expect(await counts()).toEqual({ seen: 3, firstSeen: 3 });
    for (const n of phones(30, 20)) await from(n, `subnet ${n}`, hashOf('site'));
    expect(await counts()).toEqual({ seen: 13, firstSeen: 13 });
    // Nobody doubts a device that is known.
    fixture.clock.advance({ days: 2 });
    for (const n of phones(5)) await from(n, 'one address', null);
    expect(await counts()).toEqual({ seen: 5, firstSeen: 0 });
  });

  it('says why and until when, and nothing of an app that had no users before', async () => {
    const young = await describeRollout({ appCreatedAt: '2026-11-14T12:00:00.000Z' });
    expect(young.rollout).toEqual({ reason: 'young', until: '2026-11-22T12:00:00.000Z' });
    expect((await describeRollout()).rollout).toEqual({ reason: 'manyNewDevices', until: null });
    expect((await describeRollout({ existingUsers: false })).rollout).toBeNull();
  });

  it('matches with care while many devices are new, says so in the log, and again when it is over', async () => {
    for (const n of phones(20)) await beat(at(n));
    const late = async (n: number) => {
      await tap({ address: at(n).address, linkId: id(n) });
      fixture.clock.advance({ minutes: 6 });
      return restore(at(n));
    };
    expect(await late(100)).toEqual([]);
    expect(await rows('summary', 'restores')).toEqual([
      { summary: expect.stringMatching(/this may be an older user.*installedSecondsAgo/) },
    ]);

    fixture.clock.advance({ days: 2 });
    for (const n of phones(20)) await beat(at(n));
    expect(await late(101)).toEqual([id(101)]);
    expect(reasons()).toMatchObject([
      { reason: 'manyNewDevices', seen: 20, firstSeen: 20 },
      { seen: 20, firstSeen: 0 },
    ]);
  });

  it('gives a fresh tap to the only phone there, and to nobody where there are two', async () => {
    const young = { appCreatedAt: '2026-11-14T12:00:00.000Z' };
    await tap();
    fixture.clock.advance({ minutes: 4 });
    expect(await restore({ ...young, address: clicked().address })).toEqual([id(1)]);
    expect(reasons()).toMatchObject([{ reason: 'young', until: '2026-11-22T12:00:00.000Z' }]);

    // Another person's computer was at the address before the tap.
    const address = hashOf('another home');
    const phone2 = { ...young, ...phone(2), address };
    await tap({ address, linkId: id(3), deferred: false, userAgent: CHROME });
    fixture.clock.advance({ seconds: 1 });
    await tap({ address, linkId: id(2) });
    expect(await restore(phone2)).toEqual([]);
    expect(await restore({ ...phone2, installedSecondsAgo: 1 })).toEqual([]);
    fixture.clock.advance({ minutes: 1 });
    expect(await restore({ ...phone2, installedSecondsAgo: 1 })).toEqual([id(2)]);
  });
});

handlerSuite('ListRestores', { service }, (fixture) => {
  const { release, restore, tap } = peopleOf(fixture);
  const list = async (limit: number, cursor: string | null = null, appId = APP, more: object = {}) =>
    replyOf(await fixture.bus.ask(ListRestores, { appId, limit, cursor, ...more }));

  it('lists an app’s restores, the newest first, page by page', async () => {
    await tap();
    await tap({ appId: id(0xb) });
    for (const n of [1, 2, 3]) await restore({ ...phone(n), platform: 'android' }, id(n));
    await restore({ appId: id(0xb) }, id(9));
    const first = await list(2);
    const second = await list(2, first.next);
    const ids = [first, second].map(({ restores }) => restores.map((one) => one.id));
    expect([ids, second.next]).toEqual([[[id(3), id(2)], [id(1)]], null]);
    expect(await list(2, null, id(0xc))).toEqual({ restores: [], next: null });
  });

  it('says what was given, why, and that it was released', async () => {
    await tap({}, id(0x100));
    fixture.clock.advance({ minutes: 3 });
    await restore({}, id(1));
    await release(id(1));
    const { restores } = await list(10);
    const thisMinute = expect.stringMatching(/^2026-11-15T12:03:/);
    expect(restores).toMatchObject([
      {
        id: id(1),
        at: thisMinute,
        matchType: 'address',
        summary: '1 link by address: tapped 3 minutes earlier',
        considered: [
          {
            pendingLinkId: id(0x100),
            linkId: id(1),
            tappedAt: expect.stringMatching(/^2026-11-15T12:00:/),
            matchType: 'address',
            taken: true,
            reason: 'tapped 3 minutes earlier at this address, 1 person there',
          },
        ],
        outcome: 'lost',
        releasedAt: thisMinute,
      },
    ]);
  });

  it('names the latest taps before a start that had none to consider, and those at its address', async () => {
    const elsewhere = { address: hashOf('elsewhere') };
    await tap({ appId: id(0xb), ...elsewhere }, id(0x100));
    await tap({}, id(0x101));
    fixture.clock.advance({ hours: 2 });
    for (const n of [2, 3, 4, 5]) {
      await tap({ linkId: id(n), ...elsewhere, platform: 'android' }, id(0x100 + n));
      fixture.clock.advance({ seconds: 4 });
    }
    await restore(phone(1), id(1));
    await restore({ ...phone(2), address: null }, id(2));
    fixture.clock.advance({ seconds: 4 });
    // Too late for these starts.
    await tap({ linkId: id(6) }, id(0x106));
    await fixture.bus.idle();
    const { restores } = await list(10, null, APP, { near: true });
    const near = restores.map((one) => one.near.map((tap) => [tap.linkId, tap.platform, tap.here, tap.closed]));
    const latest = (here: boolean | null) => [5, 4, 3].map((n) => [id(n), 'android', here, false]);
    expect(near).toEqual([latest(null), [...latest(false), [id(1), 'ios', true, false]]]);
    expect((await list(10)).restores.map((one) => one.near)).toEqual([[], []]);
    fixture.clock.advance({ days: 1 });
    await restore(phone(3), id(3));
    expect((await list(1, null, APP, { near: true })).restores).toMatchObject([{ near: [] }]);
  });

  it('says that the tap at the address was given before', async () => {
    await tap({}, id(0x101));
    await restore(phone(1), id(1));
    await restore(phone(2), id(2));
    const { restores } = await list(1, null, APP, { near: true });
    expect(restores).toMatchObject([
      { id: id(2), outcome: 'beyond', near: [{ pendingLinkId: id(0x101), here: true, closed: true }] },
    ]);
  });

  it('finds restores by what they gave, platform, key, time, device, user and link', async () => {
    const caller = {
      keyId: id(0xc),
      client: 'swift/0.1.0',
      requestId: 'request-1',
      sent: ['clipboard', 'something new'],
    };
    await tap({ platform: 'android', linkId: id(7) });
    await restore({ ...phone(1), platform: 'ios', caller }, id(1));
    fixture.clock.advance({ hours: 1 });
    await restore({ ...phone(2), address: hashOf('elsewhere'), email: hashOf('kim') }, id(2));
    await tap({ linkId: id(8) });
    await restore(phone(3), id(3));
    const found = async (filter: Partial<RestoreFilter>) =>
      (await list(10, null, APP, { filter: RestoreFilter.parse(filter) })).restores.map((one) => one.id);
    const of = (keys: Partial<RestoreFilter['of']>) => ({
      of: { devices: [], deviceStarts: [], users: [], linkIds: [], requestIds: [], ids: [], ...keys },
    });
    const [refused, nothing, given] = [id(1), id(2), id(3)];
    expect(await found({})).toEqual([given, nothing, refused]);
    expect(await found({ state: 'found' })).toEqual([given]);
    expect(await found({ state: 'refused' })).toEqual([refused]);
    expect(await found({ state: 'nothing' })).toEqual([nothing]);
    expect(await found({ platform: 'ios' })).toEqual([refused]);
    expect(await found({ keyId: id(0xc) })).toEqual([refused]);
    expect(await found({ linkId: id(8) })).toEqual([given]);
    const { at } = (await list(2)).restores[1]!;
    expect([await found({ from: at }), await found({ before: at })]).toEqual([[given, nothing], [refused]]);
    expect(await found(of({ devices: [phone(1).fingerprint], users: [hashOf('kim')] }))).toEqual([nothing, refused]);
    expect(await found(of({ deviceStarts: [phone(1).fingerprint.slice(0, 8)] }))).toEqual([refused]);
    expect(await found(of({ deviceStarts: [phone(1).fingerprint.slice(0, 41)] }))).toEqual([refused]);
    expect(await found(of({ linkIds: [id(7), id(8)] }))).toEqual([given, refused]);
    expect(await found(of({ linkIds: [id(8)], devices: [phone(3).fingerprint] }))).toEqual([given]);
    expect(await found(of({ requestIds: ['request-1'] }))).toEqual([refused]);
    expect(await found(of({ ids: [nothing, id(99)] }))).toEqual([nothing]);
    expect(await found(of({}))).toEqual([]);
    const { restores } = await list(10);
    expect(restores[2]).toMatchObject({
      client: 'swift/0.1.0',
      platform: 'ios',
      sent: { clipboard: true, model: false },
      hasAddress: true,
    });
    // As an older version stored them.
    await fixture.database.rows('update attribution.restores set code = null, link_ids = null, sent = null');
    const codes = (await list(10)).restores.map((one) => one.outcome);
    expect([codes, await found({ state: 'nothing' })]).toEqual([['address', 'beyond', 'refused'], [nothing]]);
  });
});
