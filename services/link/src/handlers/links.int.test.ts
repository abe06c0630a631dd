import { randomUUID } from 'node:crypto';
import { CreateLink, EditLink, FindLink, type Link, ListLinks, type ReplyOf, ResolveLink } from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const otherApp = '22222222-2222-4222-8222-222222222222';

async function make(house: House, app = appId): Promise<Link> {
  const answer = await house.bus.ask(CreateLink, {
    appId: app,
    destination: '/x',
    metadata: {},
    random: randomUUID().replaceAll('-', '').slice(0, 16),
    plan: { name: 'free', linksPerMonth: null },
  });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply.link;
}

handlerSuite('links', { service: linkService }, (house) => {
  it('are found by slug within their app only, and by id', async () => {
    const link = await make(house);
    const { slug } = link;
    expect(await house.bus.ask(ResolveLink, { appId, slug })).toEqual({ ok: true, reply: { link } });
    expect(await house.bus.ask(FindLink, { linkId: link.id })).toEqual({ ok: true, reply: { link } });
    const notFound = { ok: false, refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
    expect(await house.bus.ask(ResolveLink, { appId: otherApp, slug })).toEqual(notFound);
    expect(await house.bus.ask(FindLink, { linkId: randomUUID() })).toEqual(notFound);
  });

  it('are listed newest first, page by page, of one app', async () => {
    const made: Link[] = [];
    for (let i = 0; i < 5; i++) made.push(await make(house));
    await make(house, otherApp);
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await house.bus.ask(ListLinks, { appId, limit: 2, cursor });
      if (!answer.ok) throw new Error('refused');
      const page: ReplyOf<typeof ListLinks> = answer.reply;
      ids.push(...page.links.map((link) => link.id));
      cursor = page.next;
    } while (cursor);
    expect(ids).toEqual(made.map((link) => link.id).reverse());
  });

  it('are edited: expiry, archived and back, a version each time', async () => {
    const { id: linkId } = await make(house);
    const expiresAt = '2027-01-01T00:00:00.000Z';
    const edited = await house.bus.ask(EditLink, { linkId, expiresAt });
    expect(edited).toMatchObject({ ok: true, reply: { link: { expiresAt, archivedAt: null, version: 2 } } });
    const archived = await house.bus.ask(EditLink, { linkId, archived: true });
    expect(archived).toMatchObject({ ok: true, reply: { link: { expiresAt, version: 3 } } });
    if (archived.ok) expect(archived.reply.link.archivedAt).not.toBeNull();
    const back = await house.bus.ask(EditLink, { linkId, archived: false, expiresAt: null });
    expect(back).toMatchObject({ ok: true, reply: { link: { expiresAt: null, archivedAt: null, version: 4 } } });
  });

  it('that do not exist cannot be edited', async () => {
    const answer = await house.bus.ask(EditLink, { linkId: randomUUID(), archived: true });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'LINK_NOT_FOUND' } });
  });
});
