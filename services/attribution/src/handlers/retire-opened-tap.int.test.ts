import { LinkClicked, LinkOpened, ReleaseRestore, RestoreLinks, StorePendingLink } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { APP, clicked, HOME, hashOf, id, toRestore, toStore } from '../test-values.ts';

handlerSuite('LinkOpened', { service: attributionService }, (house) => {
  const tap = (click: Parameters<typeof clicked>[0] = {}) => house.bus.tell(LinkClicked, clicked(click));
  const opened = (address: string | null = HOME, linkId = id(1)) =>
    house.bus.tell(LinkOpened, { appId: APP, linkId, address }, { id: id(0x900) });
  const isOpen = async () => {
    const rows = await house.database.rows<{ closed_by: string | null }>(
      'select closed_by from attribution.pending_links',
    );
    return rows.map((row) => row.closed_by === null);
  };

  it('retires the tap that an installed app has opened', async () => {
    await tap();
    house.clock.advance({ minutes: 9 });
    await opened();
    expect(await house.database.rows('select closed_by from attribution.pending_links')).toEqual([
      { closed_by: id(0x900) },
    ]);
    const answer = await house.bus.ask(RestoreLinks, toRestore());
    expect(answer).toEqual({ ok: true, reply: { matches: [], awaitHeartbeat: false } });
  });

  it('leaves a tap of more than 10 minutes before', async () => {
    await tap();
    house.clock.advance({ minutes: 10 });
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
    const then = new Date(house.clock());
    await house.bus.ask(RestoreLinks, toRestore(), { id: id(1) });
    await house.bus.ask(ReleaseRestore, { restoreId: id(1) });
    await house.bus.tell(LinkOpened, { appId: APP, linkId: id(1), address: HOME }, { now: then });
    expect(await isOpen()).toEqual([true]);
    await opened();
    expect(await isOpen()).toEqual([false]);
  });

  it('never retires a stored link', async () => {
    await house.bus.ask(StorePendingLink, toStore());
    await opened();
    expect(await isOpen()).toEqual([true]);
  });
});
