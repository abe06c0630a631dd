// Links that people make: chosen and short slugs, tags, and the other fields.
import { randomUUID } from 'node:crypto';
import {
  CreateLink,
  EditLink,
  FindLinks,
  type InputOf,
  type Link,
  ListLinkTags,
  MAX_APP_TAGS,
  ResolveLink,
} from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const otherApp = '22222222-2222-4222-8222-222222222222';
const madeBy = { kind: 'person', userId: '44444444-4444-4444-8444-444444444444' } as const;
const fields = {
  name: 'Spring sale',
  note: 'On the posters.',
  webUrl: 'https://shop.example/spring',
  iosUrl: 'https://apps.apple.com/app/id1?ppid=2',
  androidUrl: 'https://play.google.com/store/apps/details?id=a.b&listing=x',
  expiredUrl: 'https://shop.example/over',
};

handlerSuite('links of people', { service: linkService }, (fixture) => {
  const create = (over: Partial<InputOf<typeof CreateLink>> = {}, id: string = randomUUID()) => {
    const random = randomUUID().replaceAll('-', '').slice(0, 16);
    const plan = { name: 'free', linksPerMonth: null };
    return fixture.bus.ask(CreateLink, { appId, destination: '/a', metadata: {}, random, plan, ...over }, { id });
  };
  const made = async (over: Partial<InputOf<typeof CreateLink>> = {}): Promise<Link> => {
    const answer = await create(over);
    return answer.ok ? answer.reply.link : expect.unreachable(answer.refusal.code);
  };
  const edit = (linkId: string, change: object) => fixture.bus.ask(EditLink, { linkId, ...change });
  const used = async () => (await fixture.database.rows<{ used: number }>('select used from link.usage'))[0]?.used;
  const tags = async () => {
    const answer = await fixture.bus.ask(ListLinkTags, { appId });
    return answer.ok ? answer.reply.tags.map(({ tag, links }) => [tag, links]) : expect.unreachable();
  };

  it('have all their fields when they are found', async () => {
    const expiresAt = '2027-01-01T00:00:00.000Z';
    const link = await made({ ...fields, tags: ['spring'], slug: 'sale', expiresAt, madeBy });
    expect(link).toMatchObject({ ...fields, tags: ['spring'], slug: 'sale', expiresAt, madeBy, version: 1 });
    expect(await fixture.bus.ask(ResolveLink, { appId, slug: 'sale' })).toEqual({ ok: true, reply: { link } });
    const other = await made({ appId: otherApp });
    const linkIds = [other.id, randomUUID(), link.id];
    expect(await fixture.bus.ask(FindLinks, { appId, linkIds })).toEqual({
      ok: true,
      reply: { links: [link], rest: [] },
    });
  });

  it('of one slug are one, of any number at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ slug: 'sale', madeBy })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toEqual({
      ok: false,
      refusal: { code: 'SLUG_TAKEN', facts: { suggestions: ['sale-2', 'sale-3', 'sale-4'] } },
    });
    expect(await used()).toBe(1);
    await made({ slug: 'sale-3' });
    expect(await create({ slug: 'sale' })).toMatchObject({
      refusal: { facts: { suggestions: ['sale-2', 'sale-4', 'sale-5'] } },
    });
    await made({ slug: 'sale', appId: otherApp });
    const long = 'x'.repeat(64);
    await made({ slug: long });
    expect(await create({ slug: long })).toMatchObject({
      refusal: { facts: { suggestions: [`${'x'.repeat(62)}-2`, expect.any(String), expect.any(String)] } },
    });
  });

  it('are made beside those of keys in one batch, and one that is refused takes no place in the plan', async () => {
    const plan = { name: 'small', linksPerMonth: 4 };
    await made({ slug: 'sale', plan });
    const answers = await Promise.all([
      create({ slug: 'sale', plan }),
      create({ plan }),
      create({ slug: 'other', plan }),
    ]);
    expect(answers.map((answer) => (answer.ok ? 'made' : answer.refusal.code))).toEqual(['SLUG_TAKEN', 'made', 'made']);
    expect(await used()).toBe(3);
    await made({ slug: 'third', plan });
    expect(await create({ slug: 'fourth', plan })).toMatchObject({
      refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED' },
    });
  });

  it('are the same for a repeated request, and not for one with another field', async () => {
    const id = randomUUID();
    const asked = { ...fields, slug: 'sale', tags: ['a'], madeBy };
    const first = await create(asked, id);
    expect(await create(asked, id)).toEqual(first);
    for (const other of [
      { ...asked, name: 'Other' },
      { ...asked, slug: 'sales' },
      { ...asked, tags: [] },
    ])
      expect(await create(other, id)).toMatchObject({ refusal: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect([await used(), await tags()]).toEqual([1, [['a', 1]]]);
  });

  it('get the first short slug that is free, whatever is tried at a repetition', async () => {
    const id = randomUUID();
    const first = await create({ shortSlugs: ['aaaaaaa', 'bbbbbbb'] }, id);
    expect(first).toMatchObject({ reply: { link: { slug: 'aaaaaaa' } } });
    expect(await create({ shortSlugs: ['ccccccc'] }, id)).toEqual(first);
    expect((await made({ shortSlugs: ['aaaaaaa', 'bbbbbbb'] })).slug).toBe('bbbbbbb');
    expect((await made({ shortSlugs: ['aaaaaaa', 'bbbbbbb'] })).slug).toMatch(/^\d{13}-/);
  });

  it('were made by versions that set the expiry with a second command, and are found again', async () => {
    const id = randomUUID();
    const asked = { destination: '/x', metadata: { b: 1, a: 2 }, repeatable: true };
    await create(asked, id);
    const expiresAt = '2027-01-01T00:00:00.000Z';
    expect(await create({ ...asked, expiresAt }, id)).toMatchObject({ reply: { link: { id, expiresAt } } });
    expect(await create({ ...asked, expiresAt, name: 'New' }, id)).toMatchObject({ ok: false });
  });

  it('are counted by tag, through creations and edits', async () => {
    const one = await made({ tags: ['a', 'b'] });
    const two = await made();
    await edit(two.id, { tags: ['b', 'c'] });
    expect(await tags()).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ]);
    await edit(one.id, { tags: ['c'], name: 'One' });
    await edit(two.id, { archived: true });
    expect(await tags()).toEqual([
      ['b', 1],
      ['c', 2],
    ]);
    expect(await edit(two.id, { ...fields, tags: [] })).toMatchObject({ reply: { link: { ...fields, tags: [] } } });
    expect(await edit(two.id, { name: null, note: null })).toMatchObject({
      reply: { link: { ...fields, name: null, note: null } },
    });
  });

  it('have at most 500 different tags in an app', async () => {
    await fixture.database.rows(
      `insert into link.tags (app_id, tag, links) select $1::uuid, 'tag' || n, 1 from generate_series(2, $2::int) n`,
      [appId, MAX_APP_TAGS],
    );
    const full = { refusal: { code: 'TOO_MANY_TAGS', facts: { limit: MAX_APP_TAGS } } };
    expect(await create({ tags: ['x', 'y'] })).toMatchObject(full);
    const { id } = await made({ tags: ['x', 'tag7'] });
    expect(await create({ tags: ['y'] })).toMatchObject(full);
    expect(await edit(id, { tags: ['x', 'y'] })).toMatchObject(full);
    expect(await edit(id, { tags: ['tag8'] })).toMatchObject({ ok: true });
    await made({ tags: ['y'] });
  });
});
