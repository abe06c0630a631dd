import { LinksRestored } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { peopleOf, phone } from '../people.testing.ts';
import { attributionService } from '../service.ts';
import { hashOf, id, matching } from '../values.testing.ts';

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

  const { beat, restore, restored, rows, store, tap } = peopleOf(fixture);
  const tokenOf = (tapId: string, tappedAt = '2026-11-15T12:00:00.000Z') => ({ tapId, linkId: id(1), tappedAt });
  const elsewhere = { address: hashOf('elsewhere') };

  it('gives one tap to one of 18 devices that ask at once', async () => {
    await tap();
    fixture.clock.advance({ minutes: 3 });
    const answers = await Promise.all(Array.from({ length: 18 }, (_, n) => restored(phone(n))));
    expect(answers.filter((links) => links.length > 0)).toEqual([[id(1)]]);
  });

  it('gives the same device the same again for 15 seconds, and then nothing', async () => {
    await tap();
    const first = await restore();
    expect(first.matches).toHaveLength(1);
    fixture.clock.advance({ seconds: 14 });
    expect(await restore()).toEqual(first);
    expect(await restore(elsewhere)).toMatchObject({ matches: [] });
    fixture.clock.advance({ seconds: 1 });
    expect(await restore()).toMatchObject({ matches: [] });
    await fixture.bus.idle();
    expect(told.size).toBe(1);
  });

  it('keeps apart two apps behind one address', async () => {
    await tap({ appId: id(0xa), linkId: id(1) });
    await tap({ appId: id(0xb), linkId: id(2) });
    expect(await restored({ appId: id(0xb) })).toEqual([id(2)]);
    expect(await restored({ appId: id(0xa) })).toEqual([id(1)]);
  });

  it('gives a stranger’s tap to the new device, and never to one that was here in the last week', async () => {
    await restore(phone(1));
    fixture.clock.advance({ days: 1 });
    await tap();
    fixture.clock.advance({ minutes: 2 });
    expect(await restored(phone(1))).toEqual([]);
    expect(await restored(phone(2))).toEqual([id(1)]);
    fixture.clock.advance({ days: 7 });
    await tap();
    expect(await restored(phone(1))).toEqual([id(1)]);
  });

  it('matches the email first, then the fingerprint, and takes what was stored for nobody else', async () => {
    await store({ linkId: id(1), email: EMAIL });
    await store({ linkId: id(2), email: EMAIL });
    await store({ linkId: id(3), ...phone(1) });
    await store({ linkId: id(4) });
    const other = { email: hashOf('lee@example.com'), fingerprint: null, ...elsewhere };
    expect(await restored(other)).toEqual([]);
    const { matches } = await restore({ ...phone(1), email: EMAIL });
    expect(matches.map(({ linkId, matchType }) => [linkId, matchType])).toEqual([
      [id(1), 'email'],
      [id(2), 'email'],
    ]);
    fixture.clock.advance({ seconds: 15 });
    expect(await restored({ ...phone(1), email: EMAIL })).toEqual([id(3)]);
    fixture.clock.advance({ seconds: 15 });
    expect(await restored(phone(1))).toEqual([id(4)]);
    fixture.clock.advance({ seconds: 15 });
    expect(await restored({ ...phone(1), email: EMAIL })).toEqual([]);
  });

  it('closes with a claim the other taps of that browser on that link', async () => {
    await tap({}, id(0x100));
    await tap({}, id(0x101));
    const token = tokenOf(id(0x101));
    expect(await restored({ token, ...elsewhere })).toEqual([id(1)]);
    expect(await restored(phone(2))).toEqual([]);
  });

  it('takes a token whose tap is not stored yet, once, and knows the tap when it comes', async () => {
    const token = tokenOf(id(0x100), '2026-11-15T11:50:00.000Z');
    expect(await restored({ token, fingerprint: null })).toEqual([id(1)]);
    await tap({}, id(0x100));
    fixture.clock.advance({ seconds: 15 });
    expect(await restored({ token, ...phone(1) })).toEqual([]);
    expect(await restored(phone(2))).toEqual([]);
    expect(await rows('people, closed_by is null as open', 'pending_links')).toEqual([{ people: 0, open: false }]);
  });

  it('gives each of two taps by one browser to whoever has its token, and each once', async () => {
    await tap({}, id(0x100));
    await tap({}, id(0x101));
    expect(await restored(phone(1))).toEqual([id(1)]);
    for (const tapId of [id(0x100), id(0x101)]) {
      expect(await restored({ token: tokenOf(tapId), ...phone(2) })).toEqual([id(1)]);
    }
    fixture.clock.advance({ days: 1 });
    for (const tapId of [id(0x100), id(0x101)]) {
      expect(await restored({ token: tokenOf(tapId), ...phone(3) })).toEqual([]);
    }
    const byToken = "pending_links p join attribution.restores r on message_id = closed_by where match_type = 'token'";
    expect(await rows('p.id', byToken)).toHaveLength(2);
  });

  it('takes a token for used that a restore of an older version has used', async () => {
    await tap({}, id(0x100));
    const token = tokenOf(id(0x100));
    await restore({ token, fingerprint: null });
    await fixture.database.rows('update attribution.restores set device = null, address = null');
    fixture.clock.advance({ seconds: 16 });
    expect(await restored({ token, fingerprint: null })).toEqual([]);
  });

  it('gives a device no link again by an earlier tap', async () => {
    await tap({ userAgent: hashOf('LinkedIn') });
    fixture.clock.advance({ seconds: 20 });
    await tap();
    expect(await restored()).toEqual([id(1)]);
    fixture.clock.advance({ seconds: 16 });
    expect(await restored()).toEqual([]);
    expect(await restored(phone(2))).toEqual([id(1)]);
    fixture.clock.advance({ seconds: 16 });
    await tap();
    expect(await restored()).toEqual([id(1)]);
  });

  it('takes no token that is too old, and of no other app', async () => {
    expect(await restored({ token: tokenOf(id(0x100), '2026-10-16T12:00:00.000Z') })).toEqual([]);
    expect(await rows('1', 'pending_links')).toEqual([]);
    await tap({}, id(0x100));
    const fresh = tokenOf(id(0x100));
    expect(await restored({ token: fresh, appId: id(0xb) })).toEqual([]);
    expect(await restored({ token: fresh, address: null })).toEqual([id(1)]);
  });

  it('asks for patience where a heartbeat may show that several phones have the fingerprint', async () => {
    await beat(elsewhere);
    fixture.clock.advance({ hours: 2 });
    await tap({ platform: 'android' });
    fixture.clock.advance({ minutes: 1 });
    expect(await restore({ final: false })).toEqual({ matches: [], awaitHeartbeat: true });
    expect(await rows('1', 'restores')).toEqual([]);
    await beat();
    fixture.clock.advance({ ms: 400 });
    expect(await restored()).toEqual([id(1)]);
  });

  it('takes for a shared fingerprint a heartbeat from its address only', async () => {
    await beat(elsewhere);
    await beat({ address: hashOf('another town') });
    for (const n of [1, 2, 3, 4, 5, 6]) await beat(phone(n));
    fixture.clock.advance({ minutes: 10 });
    await tap({ platform: 'android' });
    expect(await restored()).toEqual([]);
    await beat();
    expect(await restored()).toEqual([id(1)]);
  });

  it('takes the email for the device where there is no fingerprint', async () => {
    const byEmail = { email: EMAIL, fingerprint: null };
    await restore(byEmail);
    fixture.clock.advance({ days: 1 });
    await tap();
    expect(await restored(byEmail)).toEqual([]);
    expect(await restored({ email: null, fingerprint: null })).toEqual([]);
    expect(await restored({ ...byEmail, email: hashOf('lee@example.com') })).toEqual([id(1)]);
  });

  it('tells what it gave, and remembers what it considered', async () => {
    const from = { platform: 'android', country: 'KE', appVersion: '4.2.0' } as const;
    await tap({ platform: 'android' }, id(0x100));
    fixture.clock.advance({ minutes: 3 });
    await restore(from, id(0x500));
    await fixture.bus.idle();
    const tappedAt = expect.stringMatching(/^2026-11-15T12:00:/);
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
    const reason = 'tapped 3 minutes earlier at this address, 1 person there, the same platform';
    expect(await rows('*', 'restores')).toMatchObject([
      {
        message_id: id(0x500),
        match_type: 'address',
        pending_ids: [id(0x100)],
        summary: '1 link by address: tapped 3 minutes earlier',
        considered: [{ pendingLinkId: id(0x100), taken: true, reason }],
        repeats: null,
        released_at: null,
      },
    ]);
  });

  const caller = { keyId: id(0xc), client: 'kotlin/0.1.0', sent: ['model', 'language'] };
  const stored = () => rows('message_id as id, code, facts', 'restores order by at');

  it('remembers the first start of an install that found nothing, and no later one', async () => {
    await beat({ platform: 'android' });
    expect(await restored({ email: EMAIL, caller }, id(0x500))).toEqual([]);
    for (const hour of [1, 30, 100]) {
      fixture.clock.advance({ hours: hour });
      await beat();
      await restored();
    }
    expect(await rows('*', 'restores')).toMatchObject([
      {
        message_id: id(0x500),
        code: 'untapped',
        summary: expect.stringMatching(/^nothing: no tap at this address/),
        email: Buffer.from(EMAIL, 'base64url'),
        platform: 'android',
        key_id: id(0xc),
        client: 'kotlin/0.1.0',
        sent: ['model', 'language'],
        link_ids: null,
        facts: { never: 1 },
      },
    ]);
  });

  it('remembers it again when the device was away for a week, and when the client tells of a new install', async () => {
    const ids = [1, 2, 3, 4].map((n) => id(0x500 + n));
    await restored({ installedSecondsAgo: 0 }, ids[0]);
    fixture.clock.advance({ seconds: 59 });
    await restored({ installedSecondsAgo: 59 }, ids[1]);
    fixture.clock.advance({ days: 2 });
    await restored({ installedSecondsAgo: 20 }, ids[2]);
    fixture.clock.advance({ days: 7 });
    await restored({}, ids[3]);
    expect((await stored()).map((row) => 'id' in row && row.id)).toEqual([ids[0], ids[2], ids[3]]);
  });

  it('remembers as a code what was decided', async () => {
    await tap({ linkId: id(7) }, id(0x700));
    fixture.clock.advance({ minutes: 90 });
    await restored(phone(1));
    expect(await stored()).toMatchObject([{ code: 'beyond', facts: { t: [{}] } }]);
    const asks = [
      { ...phone(2), address: null },
      { ...phone(3), matching: matching({ evidence: 'exact' }) },
      { ...phone(4), token: { ...tokenOf(id(0x700)), linkId: id(7), from: 'clipboard' } },
    ] as const;
    for (const ask of asks) await restored(ask);
    await tap({ linkId: id(8), platform: 'android' });
    await restored({ ...phone(5), platform: 'ios' });
    expect(
      await rows('code, summary, link_ids', 'restores where at > (select min(at) from attribution.restores)'),
    ).toEqual([
      { code: 'untapped', link_ids: null, summary: expect.stringContaining('TRUST_PROXY') },
      { code: 'untapped', link_ids: null, summary: expect.stringContaining('matching.evidence') },
      { code: 'clipboard', link_ids: [id(7)], summary: expect.stringMatching(/^1 link by token/) },
      { code: 'refused', link_ids: [id(8)], summary: expect.stringContaining('an Android phone') },
    ]);
  });
});
