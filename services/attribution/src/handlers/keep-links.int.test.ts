import { LinkClicked, LinkEdited, ReleaseRestore } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { peopleOf } from '../people.testing.ts';
import { attributionService } from '../service.ts';
import { APP, CHROME, clicked, HOME, hashOf, id, SAFARI, SDK } from '../values.testing.ts';

const bytes = (hash: string) => Buffer.from(hash, 'base64url');

handlerSuite('LinkClicked', { service: attributionService }, (fixture) => {
  const { rows, tap } = peopleOf(fixture);
  const taps = (columns: string) => rows(columns, 'pending_links order by tapped_at');

  it('remembers a tap on a phone under its own id, with the sealed URL beside the one that everybody may read', async () => {
    const sealedUrl = `v1.${'q9Zx'.repeat(24)}`;
    await tap({ sealedUrl }, id(0x100));
    const original_url = 'https://demo.links.test/1';
    expect(await taps('*')).toMatchObject([
      {
        id: id(0x100),
        link_id: id(1),
        kind: 'tap',
        original_url,
        sealed_url: sealedUrl,
        platform: 'ios',
        people: 0,
        closed_by: null,
      },
    ]);
  });

  it('remembers no click that an install cannot follow, but the person who made it', async () => {
    await tap({ deferred: false, platform: 'desktop', userAgent: hashOf('Firefox') });
    await tap({ platform: 'unknown' });
    await tap({ platform: 'ios', userAgent: CHROME });
    expect(await taps('platform, people')).toEqual([
      { platform: null, people: 1 },
      { platform: 'ios', people: 2 },
    ]);
  });

  it('counts the others at the address in the day before the tap, in the app: the browser that tapped is none of them', async () => {
    await tap({ userAgent: SAFARI });
    await tap({ userAgent: SAFARI });
    await tap({ userAgent: hashOf('Opera') });
    fixture.clock.advance({ hours: 23 });
    await tap({ userAgent: CHROME });
    await tap({ userAgent: CHROME, address: hashOf('elsewhere') });
    await tap({ userAgent: CHROME, appId: id(0xb) });
    fixture.clock.advance({ hours: 2 });
    await tap({ userAgent: hashOf('Firefox') });
    await tap({ address: null });
    expect(await taps('people')).toEqual([0, 0, 1, 2, 0, 0, 1, 0].map((people) => ({ people })));
  });

  it('counts for each tap of a batch only those who were there before, and no more than 64', async () => {
    await Promise.all(Array.from({ length: 70 }, (_, n) => tap({ userAgent: hashOf(`browser ${n}`) })));
    expect(await taps('people')).toEqual(Array.from({ length: 70 }, (_, n) => ({ people: Math.min(n, 64) })));
  });
});

handlerSuite('StorePendingLink', { service: attributionService }, (fixture) => {
  const { rows, store } = peopleOf(fixture);

  it('stores the link under the id of its message', async () => {
    const email = hashOf('kim@example.com');
    const pendingLinkId = await store({ email, originalUrl: 'https://demo.links.test/1?a=b', platform: 'android' });
    const original_url = 'https://demo.links.test/1?a=b';
    expect(await rows('*', 'pending_links')).toMatchObject([
      {
        id: pendingLinkId,
        link_id: id(1),
        kind: 'store',
        original_url,
        platform: 'android',
        email: bytes(email),
        fingerprint: null,
        people: 1,
      },
    ]);
  });

  it('counts a person at the address: by fingerprint, else by email, else by user agent', async () => {
    const [fingerprint, email] = [hashOf('phone'), hashOf('kim@example.com')];
    for (const link of [{ fingerprint, email }, { email }, {}, { address: null, fingerprint: hashOf('another') }])
      await store(link);
    expect(await rows('device', 'contacts order by first_at')).toEqual(
      [fingerprint, email, SDK].map((device) => ({ device: bytes(device) })),
    );
    expect(await rows('people', 'pending_links order by tapped_at')).toEqual(
      [1, 2, 2, 0].map((people) => ({ people })),
    );
  });
});

handlerSuite('LinkOpened', { service: attributionService }, (fixture) => {
  const { open, release, restore, restored, rows, store, tap } = peopleOf(fixture);
  const tapAt = (at: number, click: Parameters<typeof clicked>[0] = {}, messageId = id(0x100)) =>
    fixture.bus.tell(LinkClicked, clicked(click), { id: messageId, now: new Date(at) });
  const areOpen = async () =>
    (await rows('closed_by is null as open', 'pending_links')).map((row) => (row as { open: boolean }).open);

  it('retires the tap that an installed app has opened, within ten minutes', async () => {
    await tap();
    fixture.clock.advance({ minutes: 9 });
    await open();
    expect(await rows('closed_by', 'pending_links')).toEqual([{ closed_by: id(0x900) }]);
    expect(await restored()).toEqual([]);
    await tap({ linkId: id(2) });
    fixture.clock.advance({ minutes: 10 });
    await open(HOME, id(2));
    expect((await areOpen()).toSorted()).toEqual([false, true]);
  });

  it('retires the tap between two openings of one minute, which have one id', async () => {
    for (const _ of [1, 2]) {
      await tap();
      fixture.clock.advance({ seconds: 5 });
      await open();
    }
    expect(await areOpen()).toEqual([false, false]);
    expect(await restored()).toEqual([]);
  });

  it('retires both when the two openings come in one batch', async () => {
    const at = fixture.clock();
    for (const seconds of [0, 10]) await tapAt(at + seconds * 1_000, {}, id(0x100 + seconds));
    fixture.clock.advance({ seconds: 30 });
    await Promise.all([20, 5].map((seconds) => open(HOME, id(1), new Date(at + seconds * 1_000))));
    expect(await areOpen()).toEqual([false, false]);
  });

  it('retires a tap that is stored after it, but for the holder of its token', async () => {
    const tappedAt = fixture.clock();
    fixture.clock.advance({ seconds: 5 });
    await open();
    fixture.clock.advance({ minutes: 1 });
    await open(HOME, id(2));
    await tapAt(tappedAt);
    expect(await restored()).toEqual([]);
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: new Date(tappedAt).toISOString() };
    expect(await restore({ token })).toMatchObject({ matches: [{ matchType: 'token' }] });
  });

  it.each<[string, number, Parameters<typeof clicked>[0]]>([
    ['a tap after it', 1_000, {}],
    ['a tap of more than ten minutes before', -601_000, {}],
    ['a tap on another link', -1_000, { linkId: id(2) }],
    ['a tap from elsewhere', -1_000, { address: hashOf('elsewhere') }],
  ])('leaves, when it is stored later, %s', async (_, after, click) => {
    const at = fixture.clock() - 60_000;
    await open(HOME, id(1), new Date(at));
    await tapAt(at + after, click);
    expect(await restore({ address: clicked(click).address })).toMatchObject({ matches: [{ matchType: 'address' }] });
  });

  it('leaves stored links, and taps on other links, from elsewhere, and of other apps', async () => {
    await store();
    for (const click of [{ linkId: id(2) }, { address: hashOf('elsewhere') }, { address: null }, { appId: id(0xb) }])
      await tap(click);
    await open();
    await open(null);
    expect(await areOpen()).toEqual([true, true, true, true, true]);
  });

  it('leaves a tap that was opened again since', async () => {
    await tap();
    const then = new Date(fixture.clock());
    await restore({}, id(1));
    await release(id(1));
    await open(HOME, id(1), then);
    expect(await areOpen()).toEqual([true]);
    fixture.clock.advance({ ms: 1 });
    await open();
    expect(await areOpen()).toEqual([false]);
  });
});

handlerSuite('LinkEdited', { service: attributionService }, (fixture) => {
  const { restored, rows, tap } = peopleOf(fixture);
  const soon = (minutes: number) => new Date(fixture.clock() + minutes * 60_000).toISOString();
  const edit = (version: number, state: { archivedAt?: string | null; expiresAt?: string | null }) => {
    const link = { linkId: id(1), appId: APP, slug: 'a', destination: '/a', archivedAt: null, expiresAt: null };
    return fixture.bus.tell(LinkEdited, { ...link, ...state, version });
  };
  const another = { fingerprint: hashOf('another') };

  it('gives nobody a link that is archived, or has expired, and gives it when that is taken back', async () => {
    await tap();
    await edit(2, { archivedAt: soon(0) });
    expect(await restored()).toEqual([]);
    expect(await rows('match_type, summary', 'restores')).toEqual([
      { match_type: null, summary: 'nothing: the link is archived' },
    ]);
    await edit(3, { expiresAt: soon(5) });
    fixture.clock.advance({ minutes: 6 });
    expect(await restored()).toEqual([]);
    await edit(4, { expiresAt: soon(5) });
    expect(await restored(another)).toEqual([id(1)]);
  });

  it('takes the newest state, in whatever order they come', async () => {
    await tap();
    await Promise.all([edit(4, { archivedAt: soon(0) }), edit(3, {}), edit(2, { archivedAt: soon(0) })]);
    await edit(1, {});
    expect(await restored()).toEqual([]);
    expect(await rows('version', 'links')).toEqual([{ version: 4 }]);
  });

  it('learns from whoever found a link gone, and gives what is left', async () => {
    await tap({ linkId: id(2), userAgent: CHROME });
    fixture.clock.advance({ seconds: 5 });
    await tap({ userAgent: CHROME });
    expect(await restored({}, id(0x500))).toEqual([id(1)]);
    const gone = [{ linkId: id(1), version: 2, archivedAt: soon(0), expiresAt: null }];
    await fixture.bus.ask(ReleaseRestore, { restoreId: id(0x500), gone });
    expect(await restored()).toEqual([id(2)]);
    expect(await rows('message_id', 'restores where released_at is not null')).toEqual([{ message_id: id(0x500) }]);
  });
});
