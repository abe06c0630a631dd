import { LinkClicked, LinkEdited, ReleaseRestore, RestoreLinks } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { APP, CHROME, clicked, hashOf, id, toRestore } from '../values.testing.ts';

handlerSuite('LinkEdited', { service: attributionService }, (fixture) => {
  const tap = (click: Parameters<typeof clicked>[0] = {}) => fixture.bus.tell(LinkClicked, clicked(click));
  const soon = (minutes: number) => new Date(fixture.clock() + minutes * 60_000).toISOString();
  const edit = (version: number, state: { archivedAt?: string | null; expiresAt?: string | null }) => {
    const link = { linkId: id(1), appId: APP, slug: 'a', destination: '/a', archivedAt: null, expiresAt: null };
    return fixture.bus.tell(LinkEdited, { ...link, ...state, version });
  };
  const restored = async (phone = 'phone', restoreId?: string) => {
    const options = restoreId === undefined ? {} : { id: restoreId };
    const answer = await fixture.bus.ask(RestoreLinks, toRestore({ fingerprint: hashOf(phone) }), options);
    return answer.ok ? answer.reply.matches.map((match) => match.linkId) : expect.unreachable();
  };
  const summaries = () => fixture.database.rows('select match_type, summary from attribution.restores order by at');

  it('gives nobody a link that is archived, and gives it when it is taken back', async () => {
    await tap();
    await edit(2, { archivedAt: soon(0) });
    expect(await restored()).toEqual([]);
    expect(await summaries()).toEqual([{ match_type: null, summary: 'nothing: the link is archived' }]);
    await edit(3, {});
    expect(await restored('another')).toEqual([id(1)]);
  });

  it('gives nobody a link that has expired', async () => {
    await tap();
    await edit(2, { expiresAt: soon(5) });
    fixture.clock.advance({ minutes: 6 });
    expect(await restored()).toEqual([]);
    await edit(3, { expiresAt: soon(5) });
    expect(await restored('another')).toEqual([id(1)]);
  });

  it('takes the newest state, in whatever order they come', async () => {
    await tap();
    await Promise.all([edit(4, { archivedAt: soon(0) }), edit(3, {}), edit(2, { archivedAt: soon(0) })]);
    await edit(1, {});
    expect(await restored()).toEqual([]);
    expect(await fixture.database.rows('select version from attribution.links')).toEqual([{ version: 4 }]);
  });

  it('lets a link that is gone hide no other', async () => {
    await tap({ linkId: id(2), userAgent: CHROME });
    await tap();
    await edit(2, { archivedAt: soon(0) });
    expect(await restored()).toEqual([id(2)]);
  });

  it('learns from whoever found a link gone, and gives what is left', async () => {
    await tap({ linkId: id(2), userAgent: CHROME });
    fixture.clock.advance({ seconds: 5 });
    await tap({ userAgent: CHROME });
    expect(await restored('phone', id(0x500))).toEqual([id(1)]);
    const gone = [{ linkId: id(1), version: 2, archivedAt: soon(0), expiresAt: null }];
    await fixture.bus.ask(ReleaseRestore, { restoreId: id(0x500), gone });
    expect(await restored()).toEqual([id(2)]);
    const [first] = await fixture.database.rows<{ released: boolean }>(
      'select released_at is not null as released from attribution.restores where message_id = $1',
      [id(0x500)],
    );
    expect(first).toEqual({ released: true });
  });
});
