import {
  type InputOf,
  LinkClicked,
  LinksRestored,
  RecordHeartbeat,
  RestoreLinks,
  StorePendingLink,
} from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { CHROME, clicked, hashOf, heartbeat, id, toRestore, toStore } from '../values.testing.ts';

const EMAIL = hashOf('kim@example.com');
const told = new Map<string, unknown>();

const service: Parameters<typeof handlerSuite>[1]['service'] = (deps) => {
  attributionService(deps);
  deps.bus.listen('test', LinksRestored, async (batch) => {
    for (const { data, context } of batch) told.set(context.id, data);
  });
};

handlerSuite('RestoreLinks', { service }, (fixture) => {
  beforeEach(() => told.clear());

  const restore = async (question: Partial<InputOf<typeof RestoreLinks>> = {}, messageId?: string) => {
    const answer = await fixture.bus.ask(RestoreLinks, toRestore(question), messageId ? { id: messageId } : {});
    return answer.ok ? answer.reply : expect.unreachable();
  };
  const restoredLinks = async (question: Partial<InputOf<typeof RestoreLinks>> = {}) =>
    (await restore(question)).matches.map((match) => match.linkId);
  const tap = (click: Parameters<typeof clicked>[0] = {}, tapId?: string) =>
    fixture.bus.tell(LinkClicked, clicked(click), tapId ? { id: tapId } : {});
  const store = async (link: Parameters<typeof toStore>[0]) => {
    const answer = await fixture.bus.ask(StorePendingLink, toStore(link));
    return answer.ok ? answer.reply.pendingLinkId : expect.unreachable();
  };
  const beat = (from: Parameters<typeof heartbeat>[0] = {}) => fixture.bus.ask(RecordHeartbeat, heartbeat(from));
  const phone = (n: number) => ({ fingerprint: hashOf(`phone ${n}`) });

  it('gives one tap to one of 18 devices that ask at once', async () => {
    await tap();
    fixture.clock.advance({ minutes: 3 });
    const answers = await Promise.all(Array.from({ length: 18 }, (_, n) => restoredLinks(phone(n))));
    expect(answers.filter((links) => links.length > 0)).toEqual([[id(1)]]);
  });

  it('gives the same device the same again for 15 seconds, and then nothing', async () => {
    await tap();
    const first = await restore();
    expect(first.matches).toHaveLength(1);
    fixture.clock.advance({ seconds: 14 });
    expect(await restore()).toEqual(first);
    expect(await restore({ address: hashOf('elsewhere') })).toMatchObject({ matches: [] });
    fixture.clock.advance({ seconds: 1 });
    expect(await restore()).toMatchObject({ matches: [] });
    await fixture.bus.idle();
    expect(told.size).toBe(1);
  });

  it('keeps apart two apps behind one address', async () => {
    await tap({ appId: id(0xa), linkId: id(1) });
    await tap({ appId: id(0xb), linkId: id(2) });
    expect(await restoredLinks({ appId: id(0xb) })).toEqual([id(2)]);
    expect(await restoredLinks({ appId: id(0xa) })).toEqual([id(1)]);
  });

  it('gives nothing where two browsers tapped two links, and says so', async () => {
    await tap({ linkId: id(1) });
    await tap({ linkId: id(2), userAgent: CHROME });
    expect(await restoredLinks()).toEqual([]);
    const rows = await fixture.database.rows('select match_type, summary from attribution.restores');
    expect(rows).toEqual([
      {
        match_type: null,
        summary: 'nothing: 2 different links were tapped at this address, so nobody can tell which one is meant',
      },
    ]);
  });

  it('gives a stranger’s tap to the new device, and never to one that the app has known for a day', async () => {
    await restore(phone(1));
    fixture.clock.advance({ days: 1 });
    await tap();
    fixture.clock.advance({ minutes: 2 });
    expect(await restoredLinks(phone(1))).toEqual([]);
    expect(await restoredLinks(phone(2))).toEqual([id(1)]);
  });

  it('gives by address again to a device that was away for a week', async () => {
    await restore(phone(1));
    fixture.clock.advance({ days: 7 });
    await tap();
    expect(await restoredLinks(phone(1))).toEqual([id(1)]);
  });

  it('shares the time among the people that were at the address', async () => {
    // Three phones and a computer are four people. The browser that taps belongs to the caller and does not count. So
    // the limit is 22.5 minutes.
    for (const n of [1, 2, 3]) await beat(phone(n));
    await tap({ deferred: false, platform: 'desktop', userAgent: hashOf('Firefox') });
    fixture.clock.advance({ hours: 1 });
    await tap();
    fixture.clock.advance({ minutes: 22, seconds: 30 });
    expect(await restoredLinks(phone(9))).toEqual([]);
    // The phone that asked is the fifth, so the limit is 18 minutes.
    await tap();
    fixture.clock.advance({ minutes: 17, seconds: 59 });
    expect(await restoredLinks(phone(9))).toEqual([id(1)]);
  });

  it('matches the email first, then the fingerprint, and takes what was stored for nobody else', async () => {
    await store({ linkId: id(1), email: EMAIL });
    await store({ linkId: id(2), email: EMAIL });
    await store({ linkId: id(3), ...phone(1) });
    await store({ linkId: id(4) });
    const other = { email: hashOf('lee@example.com'), fingerprint: null, address: hashOf('elsewhere') };
    expect(await restoredLinks(other)).toEqual([]);
    const { matches } = await restore({ ...phone(1), email: EMAIL });
    expect(matches.map(({ linkId, matchType }) => [linkId, matchType])).toEqual([
      [id(1), 'email'],
      [id(2), 'email'],
    ]);
    fixture.clock.advance({ seconds: 15 });
    expect(await restoredLinks({ ...phone(1), email: EMAIL })).toEqual([id(3)]);
    fixture.clock.advance({ seconds: 15 });
    expect(await restoredLinks(phone(1))).toEqual([id(4)]);
    fixture.clock.advance({ seconds: 15 });
    expect(await restoredLinks({ ...phone(1), email: EMAIL })).toEqual([]);
  });

  it('closes with a claim the other taps of that browser on that link', async () => {
    await tap({}, id(0x100));
    await tap({}, id(0x101));
    const token = { tapId: id(0x101), linkId: id(1), tappedAt: '2026-11-15T12:00:00.000Z' };
    expect(await restoredLinks({ token, address: hashOf('elsewhere') })).toEqual([id(1)]);
    expect(await restoredLinks(phone(2))).toEqual([]);
  });

  it('takes a token whose tap is not stored yet, once, and knows the tap when it comes', async () => {
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: '2026-11-15T11:50:00.000Z' };
    expect(await restoredLinks({ token, fingerprint: null })).toEqual([id(1)]);
    await tap({}, id(0x100));
    fixture.clock.advance({ seconds: 15 });
    expect(await restoredLinks({ token, ...phone(1) })).toEqual([]);
    expect(await restoredLinks(phone(2))).toEqual([]);
    const rows = await fixture.database.rows('select people, closed_by is null as open from attribution.pending_links');
    expect(rows).toEqual([{ people: 0, open: false }]);
    expect(
      await fixture.database.rows('select 1 from attribution.contacts where device = $1', [
        Buffer.from(clicked().userAgent, 'base64url'),
      ]),
    ).toHaveLength(1);
  });

  it('gives each of two taps by one browser to whoever has its token, and each once', async () => {
    await tap({}, id(0x100));
    await tap({}, id(0x101));
    const at = fixture.clock();
    const token = (tapId: string) => ({ tapId, linkId: id(1), tappedAt: new Date(at).toISOString() });
    expect(await restoredLinks(phone(1))).toEqual([id(1)]);
    for (const tapId of [id(0x100), id(0x101)]) {
      expect(await restoredLinks({ token: token(tapId), ...phone(2) })).toEqual([id(1)]);
    }
    fixture.clock.advance({ days: 1 });
    for (const tapId of [id(0x100), id(0x101)]) {
      expect(await restoredLinks({ token: token(tapId), ...phone(3) })).toEqual([]);
    }
    const rows = await fixture.database.rows(
      `select count(*)::int as taps from attribution.pending_links p
       join attribution.restores r on r.message_id = p.closed_by where r.match_type = 'token'`,
    );
    expect(rows).toEqual([{ taps: 2 }]);
  });

  it('takes a token for used that a restore of an older version has used', async () => {
    await tap({}, id(0x100));
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: '2026-11-15T12:00:00.000Z' };
    await restore({ token, fingerprint: null });
    await fixture.database.rows('update attribution.restores set device = null, address = null');
    fixture.clock.advance({ seconds: 16 });
    expect(await restoredLinks({ token, fingerprint: null })).toEqual([]);
  });

  it('gives a device no link again by an earlier tap', async () => {
    await tap({ userAgent: hashOf('LinkedIn') });
    fixture.clock.advance({ seconds: 20 });
    await tap();
    expect(await restoredLinks()).toEqual([id(1)]);
    fixture.clock.advance({ seconds: 16 });
    expect(await restoredLinks()).toEqual([]);
    expect(await restoredLinks(phone(2))).toEqual([id(1)]);
    fixture.clock.advance({ seconds: 16 });
    await tap();
    expect(await restoredLinks()).toEqual([id(1)]);
  });

  it('takes no token that is too old, and of no other app', async () => {
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: '2026-10-16T12:00:00.000Z' };
    expect(await restoredLinks({ token })).toEqual([]);
    expect(await fixture.database.rows('select 1 from attribution.pending_links')).toEqual([]);
    await tap({}, id(0x100));
    const fresh = { ...token, tappedAt: '2026-11-15T12:00:00.000Z' };
    expect(await restoredLinks({ token: fresh, appId: id(0xb) })).toEqual([]);
    expect(await restoredLinks({ token: fresh, address: null })).toEqual([id(1)]);
  });

  it('asks for patience where a heartbeat may show that several phones have the fingerprint', async () => {
    await beat({ address: hashOf('elsewhere') });
    fixture.clock.advance({ hours: 2 });
    await tap({ platform: 'android' });
    fixture.clock.advance({ minutes: 1 });
    expect(await restore({ final: false })).toEqual({ matches: [], awaitHeartbeat: true });
    expect(await fixture.database.rows('select 1 from attribution.restores')).toEqual([]);
    await beat();
    fixture.clock.advance({ ms: 400 });
    expect(await restoredLinks()).toEqual([id(1)]);
  });

  it('decides without the heartbeat when the last question comes', async () => {
    await beat({ address: hashOf('elsewhere') });
    fixture.clock.advance({ hours: 2 });
    await tap({ platform: 'android' });
    expect(await restore({ final: false })).toMatchObject({ awaitHeartbeat: true });
    fixture.clock.advance({ ms: 400 });
    expect(await restore()).toEqual({ matches: [], awaitHeartbeat: false });
  });

  it('gives a shared fingerprint nothing that was stored for it, and nothing where it was before', async () => {
    const elsewhere = { address: hashOf('elsewhere') };
    await beat(elsewhere);
    await beat({ address: hashOf('another town') });
    await store({ linkId: id(3), fingerprint: hashOf('phone'), ...elsewhere });
    expect(await restoredLinks({ final: false })).toEqual([]);
    fixture.clock.advance({ minutes: 1 });
    await tap();
    await beat();
    expect(await restoredLinks()).toEqual([]);
  });

  it('takes for a shared fingerprint a heartbeat from its address only, and few people there', async () => {
    const office = hashOf('office');
    await beat({ address: hashOf('elsewhere') });
    await beat({ address: hashOf('another town') });
    for (const n of [1, 2, 3, 4, 5, 6]) await beat(phone(n));
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await beat({ ...phone(n), address: office });
    fixture.clock.advance({ minutes: 10 });
    await tap({ platform: 'android' });
    expect(await restoredLinks()).toEqual([]);
    await beat();
    expect(await restoredLinks()).toEqual([id(1)]);

    await tap({ linkId: id(2), address: office, platform: 'android' });
    await beat({ address: office });
    expect(await restoredLinks({ address: office })).toEqual([]);
  });

  it('matches nothing where many devices start for the first time at once', async () => {
    for (const n of [1, 2, 3]) await beat(phone(n));
    await tap();
    expect(await restoredLinks(phone(4))).toEqual([id(1)]);
    await tap();
    expect(await restoredLinks(phone(5))).toEqual([]);
    fixture.clock.advance({ minutes: 10 });
    expect(await restoredLinks(phone(6))).toEqual([id(1)]);
  });

  it('takes the email for the device where there is no fingerprint', async () => {
    const byEmail = { email: EMAIL, fingerprint: null };
    await restore(byEmail);
    fixture.clock.advance({ days: 1 });
    await tap();
    expect(await restoredLinks(byEmail)).toEqual([]);
    expect(await restoredLinks({ email: null, fingerprint: null })).toEqual([]);
    expect(await restoredLinks({ ...byEmail, email: hashOf('lee@example.com') })).toEqual([id(1)]);
  });

  it('tells what it gave, and remembers what it considered', async () => {
    const tappedAt = new Date(fixture.clock() + 1).toISOString();
    const from = { platform: 'android', country: 'KE', appVersion: '4.2.0' } as const;
    await tap({ platform: 'android' }, id(0x100));
    fixture.clock.advance({ minutes: 3 });
    await restore(from, id(0x500));
    await fixture.bus.idle();
    expect([...told.values()]).toEqual([
      {
        restoreId: id(0x500),
        appId: id(0xa),
        device: hashOf('phone'),
        matchType: 'address',
        links: [{ linkId: id(1), pendingLinkId: id(0x100), tappedAt }],
        ...from,
      },
    ]);
    const [row] = await fixture.database.rows<Record<string, unknown>>('select * from attribution.restores');
    expect(row).toMatchObject({
      message_id: id(0x500),
      match_type: 'address',
      pending_ids: [id(0x100)],
      summary: '1 link by address: tapped 3 minutes ago',
      considered: [
        {
          pendingLinkId: id(0x100),
          taken: true,
          reason: 'tapped 3 minutes ago at this address, 1 person there, the same platform',
        },
      ],
      repeats: null,
      released_at: null,
    });
  });

  it('leaves no row where there was nothing to consider', async () => {
    expect(await restoredLinks()).toEqual([]);
    expect(await fixture.database.rows('select 1 from attribution.restores')).toEqual([]);
    expect(await fixture.database.rows('select 1 from attribution.devices')).toHaveLength(1);
  });
});
