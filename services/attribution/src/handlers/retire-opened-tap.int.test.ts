import { LinkClicked, LinkOpened, ReleaseRestore, RestoreLinks, StorePendingLink } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { APP, clicked, HOME, hashOf, id, toRestore, toStore } from '../values.testing.ts';

handlerSuite('LinkOpened', { service: attributionService }, (fixture) => {
  const tap = (click: Parameters<typeof clicked>[0] = {}) => fixture.bus.tell(LinkClicked, clicked(click));
  const opened = (address: string | null = HOME, linkId = id(1), at?: Date) =>
    fixture.bus.tell(LinkOpened, { appId: APP, linkId, address }, { id: id(0x900), ...(at && { now: at }) });
  const restored = async () => {
    const answer = await fixture.bus.ask(RestoreLinks, toRestore());
    return answer.ok ? answer.reply.matches.map((match) => match.linkId) : expect.unreachable();
  };
  const isOpen = async () => {
    const rows = await fixture.database.rows<{ closed_by: string | null }>(
      'select closed_by from attribution.pending_links',
    );
    return rows.map((row) => row.closed_by === null);
  };

  it('retires the tap that an installed app has opened', async () => {
    await tap();
    fixture.clock.advance({ minutes: 9 });
    await opened();
    expect(await fixture.database.rows('select closed_by from attribution.pending_links')).toEqual([
      { closed_by: id(0x900) },
    ]);
    const answer = await fixture.bus.ask(RestoreLinks, toRestore());
    expect(answer).toEqual({ ok: true, reply: { matches: [], awaitHeartbeat: false } });
  });

  it('retires the tap between two openings of one minute, which have one id', async () => {
    for (const _ of [1, 2]) {
      await tap();
      fixture.clock.advance({ seconds: 5 });
      await opened();
    }
    expect(await isOpen()).toEqual([false, false]);
    expect(await restored()).toEqual([]);
  });

  it('retires both when the two openings come in one batch', async () => {
    const at = fixture.clock();
    for (const seconds of [0, 10])
      await fixture.bus.tell(LinkClicked, clicked(), { now: new Date(at + seconds * 1_000) });
    fixture.clock.advance({ seconds: 30 });
    await Promise.all([20, 5].map((seconds) => opened(HOME, id(1), new Date(at + seconds * 1_000))));
    expect(await isOpen()).toEqual([false, false]);
  });

  it('retires a tap that is stored after it', async () => {
    const tappedAt = new Date(fixture.clock());
    fixture.clock.advance({ seconds: 5 });
    await opened();
    fixture.clock.advance({ minutes: 1 });
    await opened(HOME, id(2));
    await fixture.bus.tell(LinkClicked, clicked(), { id: id(0x100), now: tappedAt });
    expect(await restored()).toEqual([]);
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: tappedAt.toISOString() };
    expect(await fixture.bus.ask(RestoreLinks, toRestore({ token }))).toMatchObject({
      reply: { matches: [{ matchType: 'token' }] },
    });
  });

  it.each<[string, number, Parameters<typeof clicked>[0]]>([
    ['a tap after it', 1_000, {}],
    ['a tap of more than ten minutes before', -601_000, {}],
    ['a tap on another link', -1_000, { linkId: id(2) }],
    ['a tap from elsewhere', -1_000, { address: hashOf('elsewhere') }],
  ])('leaves, when it is stored later, %s', async (_, after, click) => {
    const at = fixture.clock() - 60_000;
    await opened(HOME, id(1), new Date(at));
    await fixture.bus.tell(LinkClicked, clicked(click), { now: new Date(at + after) });
    const answer = await fixture.bus.ask(RestoreLinks, toRestore({ address: clicked(click).address }));
    expect(answer).toMatchObject({ reply: { matches: [{ matchType: 'address' }] } });
  });

  it('leaves a tap of more than 10 minutes before', async () => {
    await tap();
    fixture.clock.advance({ minutes: 10 });
    await opened();
    expect(await isOpen()).toEqual([true]);
  });

  it('leaves taps on other links, from elsewhere, and of other apps', async () => {
    await tap({ linkId: id(2) });
    await tap({ address: hashOf('elsewhere') });
    await tap({ address: null });
    await tap({ appId: id(0xb) });
    await opened();
    await opened(null);
    expect(await isOpen()).toEqual([true, true, true, true]);
  });

  it('leaves a tap that was opened again since', async () => {
    await tap();
    const then = new Date(fixture.clock());
    await fixture.bus.ask(RestoreLinks, toRestore(), { id: id(1) });
    await fixture.bus.ask(ReleaseRestore, { restoreId: id(1) });
    await fixture.bus.tell(LinkOpened, { appId: APP, linkId: id(1), address: HOME }, { now: then });
    expect(await isOpen()).toEqual([true]);
    await opened();
    expect(await isOpen()).toEqual([false]);
  });

  it('never retires a stored link', async () => {
    await fixture.bus.ask(StorePendingLink, toStore());
    await opened();
    expect(await isOpen()).toEqual([true]);
  });
});
