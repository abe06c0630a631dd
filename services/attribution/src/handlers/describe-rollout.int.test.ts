import { DescribeRollout, type InputOf, LinkClicked, RecordHeartbeat, RestoreLinks } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { APP, CHROME, clicked, hashOf, heartbeat, id, matching, toRestore } from '../values.testing.ts';

const logged: { fields: object; message: string }[] = [];

const service: Parameters<typeof handlerSuite>[1]['service'] = (deps) => {
  const info = (fields: object, message: string) => logged.push({ fields, message });
  attributionService({ ...deps, log: { ...deps.log, info } });
};

handlerSuite('DescribeRollout', { service }, (fixture) => {
  beforeEach(() => logged.splice(0));

  const LONG_AGO = '2026-01-01T00:00:00.000Z';
  const describeRollout = async (question: Partial<InputOf<typeof DescribeRollout>> = {}) => {
    const asked = { appId: APP, appCreatedAt: LONG_AGO, existingUsers: true, ...question };
    const answer = await fixture.bus.ask(DescribeRollout, asked);
    return answer.ok ? answer.reply : expect.unreachable();
  };
  const phone = (n: number) => ({ fingerprint: hashOf(`phone ${n}`), address: hashOf(`home ${n}`) });
  const beat = (n: number) => fixture.bus.ask(RecordHeartbeat, heartbeat(phone(n)));
  const restore = async (question: Partial<InputOf<typeof RestoreLinks>>) => {
    const asked = toRestore({ matching: matching({ existingUsers: true }), appCreatedAt: LONG_AGO, ...question });
    const answer = await fixture.bus.ask(RestoreLinks, asked);
    return answer.ok ? answer.reply.matches.map((match) => match.linkId) : expect.unreachable();
  };
  const phones = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i);
  const reasons = () => logged.map(({ fields, message }) => ({ ...fields, message })).filter(isOfRollout);
  const isOfRollout = ({ message }: { message: string }) => message.startsWith('matching by address');

  it('counts each device once a day, by its heartbeat or its restore, and for the first time once', async () => {
    expect(await describeRollout()).toMatchObject({ devices: { seen: 0, firstSeen: 0 } });
    for (const n of phones(5)) await beat(n);
    for (const n of phones(7)) await restore(phone(n));
    for (const n of phones(5)) await beat(n);
    await restore({ fingerprint: null, email: hashOf('kim@example.com') });
    await restore({ fingerprint: null, installedSecondsAgo: 5 });
    await beat(0);
    expect(await describeRollout()).toMatchObject({ devices: { seen: 8, firstSeen: 8 } });
    expect(await describeRollout({ appId: id(0xb) })).toMatchObject({ devices: { seen: 0, firstSeen: 0 } });

    fixture.clock.advance({ days: 2 });
    expect(await describeRollout()).toMatchObject({ devices: { seen: 0, firstSeen: 0 } });
    for (const n of phones(9)) await Promise.all([beat(n), restore(phone(n))]);
    expect(await describeRollout()).toMatchObject({ devices: { seen: 9, firstSeen: 2 } });
  });

  it('counts two new devices of an address in an hour, and ten of a /48', async () => {
    const at = (n: number, address: string, site: string | null) =>
      fixture.bus.ask(
        RecordHeartbeat,
        heartbeat({ fingerprint: hashOf(`phone ${n}`), address: hashOf(address), site }),
      );
    for (const n of phones(5)) await at(n, 'one address', null);
    expect(await describeRollout()).toMatchObject({ devices: { seen: 2, firstSeen: 2 } });
    fixture.clock.advance({ hours: 1 });
    await at(10, 'one address', null);
    expect(await describeRollout()).toMatchObject({ devices: { seen: 3, firstSeen: 3 } });
    for (const n of phones(30, 20)) await at(n, `subnet ${n}`, hashOf('site'));
    expect(await describeRollout()).toMatchObject({ devices: { seen: 13, firstSeen: 13 } });
    // Nobody doubts a device that is known.
    fixture.clock.advance({ days: 2 });
    for (const n of phones(5)) await at(n, 'one address', null);
    expect(await describeRollout()).toMatchObject({ devices: { seen: 5, firstSeen: 0 } });
  });

  it('counts no heartbeat that is delivered again', async () => {
    for (const _ of [1, 2]) await fixture.bus.ask(RecordHeartbeat, heartbeat(phone(1)), { id: id(7) });
    expect(await describeRollout()).toMatchObject({ devices: { seen: 1, firstSeen: 1 } });
  });

  it('says why and until when, and nothing of an app that had no users before', async () => {
    const young = await describeRollout({ appCreatedAt: '2026-11-14T12:00:00.000Z' });
    expect(young.rollout).toEqual({ reason: 'young', until: '2026-11-22T12:00:00.000Z' });
    expect((await describeRollout()).rollout).toEqual({ reason: 'manyNewDevices', until: null });
    expect((await describeRollout({ existingUsers: false })).rollout).toBeNull();
  });

  it('matches with care while many devices are new, says so in the log, and again when it is over', async () => {
    for (const n of phones(20)) await beat(n);
    const late = async (n: number) => {
      await fixture.bus.tell(LinkClicked, clicked({ ...phone(n), linkId: id(n) }));
      fixture.clock.advance({ minutes: 6 });
      return restore(phone(n));
    };
    expect(await late(100)).toEqual([]);
    const [row] = await fixture.database.rows<{ summary: string }>('select summary from attribution.restores');
    expect(row!.summary).toContain('this may be an older user');
    expect(row!.summary).toContain('installedSecondsAgo');

    fixture.clock.advance({ days: 2 });
    for (const n of phones(20)) await beat(n);
    expect(await late(101)).toEqual([id(101)]);
    expect(reasons()).toMatchObject([
      { reason: 'manyNewDevices', seen: 20, firstSeen: 20 },
      { seen: 20, firstSeen: 0 },
    ]);
  });

  it('gives a fresh tap to the only phone there, and to nobody where there are two', async () => {
    const young = { appCreatedAt: '2026-11-14T12:00:00.000Z' };
    await fixture.bus.tell(LinkClicked, clicked());
    fixture.clock.advance({ minutes: 4 });
    expect(await restore({ ...young, address: clicked().address })).toEqual([id(1)]);
    expect(reasons()).toMatchObject([{ reason: 'young', until: '2026-11-22T12:00:00.000Z' }]);

    // Another person's computer was at the address before the tap.
    const home = hashOf('another home');
    await fixture.bus.tell(LinkClicked, clicked({ address: home, linkId: id(3), deferred: false, userAgent: CHROME }));
    fixture.clock.advance({ seconds: 1 });
    await fixture.bus.tell(LinkClicked, clicked({ address: home, linkId: id(2) }));
    expect(await restore({ ...young, address: home, fingerprint: hashOf('phone 2') })).toEqual([]);
    expect(await restore({ ...young, address: home, fingerprint: hashOf('phone 2'), installedSecondsAgo: 1 })).toEqual(
      [],
    );
    fixture.clock.advance({ minutes: 1 });
    expect(await restore({ ...young, address: home, fingerprint: hashOf('phone 2'), installedSecondsAgo: 1 })).toEqual([
      id(2),
    ]);
  });
});
