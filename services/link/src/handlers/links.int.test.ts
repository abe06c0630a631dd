import { randomUUID } from 'node:crypto';
import {
  CountLiveLinks,
  CreateLink,
  EditLink,
  FindLink,
  FindUsage,
  type InputOf,
  type Link,
  LinkEdited,
  ListLinkEdits,
  ListLinks,
  ResolveLink,
} from '@landfall/contracts';
import { type Fixture, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const otherApp = '22222222-2222-4222-8222-222222222222';
const expiresAt = '2027-01-01T00:00:00.000Z';
const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);

type Answer<R> = { ok: true; reply: R } | { ok: false; refusal: { code: string } };

function replyOf<R>(answer: Answer<R>): R {
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

/** @param fixture read when something is asked: each test has its own */
function askerOf(fixture: Fixture) {
  const edit = async (linkId: string, change: Partial<InputOf<typeof EditLink>>, id: string = randomUUID()) =>
    replyOf(await fixture.bus.ask(EditLink, { linkId, ...change }, { id })).link;
  return {
    async make(destination = '/x', app = appId): Promise<Link> {
      const random = randomUUID().replaceAll('-', '').slice(0, 16);
      const plan = { name: 'free', linksPerMonth: null };
      return replyOf(await fixture.bus.ask(CreateLink, { appId: app, destination, metadata: {}, random, plan })).link;
    },
    edit,
    find: async (linkId: string) => replyOf(await fixture.bus.ask(FindLink, { linkId })).link,
    resolve: async (slug: string, app = appId) =>
      replyOf(await fixture.bus.ask(ResolveLink, { appId: app, slug })).link,
    /** Returns the links of all pages, by following the cursors. */
    async list(search: string | null = null, limit = 2): Promise<Link[]> {
      const links: Link[] = [];
      let cursor: string | null = null;
      do {
        const page: { links: Link[]; next: string | null } = replyOf(
          await fixture.bus.ask(ListLinks, { appId, limit, search, cursor }),
        );
        expect(page.links.length).toBeLessThanOrEqual(limit);
        links.push(...page.links);
        cursor = page.next;
      } while (cursor);
      return links;
    },
  };
}

handlerSuite('links', { service: linkService }, (fixture) => {
  const { edit, find, list, make, resolve } = askerOf(fixture);

  it('are found by slug within their app only, and by id', async () => {
    const link = await make();
    expect([await resolve(link.slug), await find(link.id)]).toEqual([link, link]);
    await expect(resolve(link.slug, otherApp)).rejects.toThrow('LINK_NOT_FOUND');
    await expect(find(randomUUID())).rejects.toThrow('LINK_NOT_FOUND');
    await expect(edit(randomUUID(), { archived: true })).rejects.toThrow('LINK_NOT_FOUND');
  });

  it('are listed newest first, page by page, of one app', async () => {
    const made: Link[] = [];
    for (let i = 0; i < 5; i++) made.push(await make());
    await make('/x', otherApp);
    expect(await list()).toEqual(made.reverse());
  });

  it('are listed by how their destination begins, whatever it is made of', async () => {
    const long = `/${'l'.repeat(200)}`;
    const made: Link[] = [];
    for (const destination of ['/a', '/a%b', '/a_b', '/aXb', '/ä', '/ä/\u{10ffff}\u{10ffff}', `${long}/1`, `${long}/2`])
      made.unshift(await make(destination));
    await make('/a', otherApp);
    for (const search of ['/', '/a', '/a%', '/a_', '/ä', '/ä/', '/ä/\u{10ffff}', '/A', long, `${long}/1`, '/none']) {
      const expected = made.filter(({ destination }) => destination.startsWith(search));
      expect(idsOf(await list(search))).toEqual(idsOf(expected));
    }
  });

  it('are edited: expiry, archived and back, a version each time', async () => {
    const { id } = await make();
    expect(await edit(id, { expiresAt })).toMatchObject({ expiresAt, archivedAt: null, version: 2 });
    const archivedAt = expect.any(String);
    expect(await edit(id, { archived: true })).toMatchObject({ expiresAt, archivedAt, version: 3 });
    const back = { expiresAt: null, archivedAt: null, version: 4 };
    expect(await edit(id, { archived: false, expiresAt: null })).toMatchObject(back);
  });

  it('lead elsewhere and have other metadata, and are found as they are', async () => {
    const made = await make('/a?b=1');
    const metadata = { z: 1, a: { nested: [1, null] } };
    const changed = { ...made, destination: '/c?d=2', metadata, version: 2 };
    const edited = await edit(made.id, { destination: '/c?d=2', metadata });
    expect(edited).toEqual(changed);
    expect(Object.keys(edited.metadata)).toEqual(['z', 'a']);
    expect([await resolve(made.slug), await find(made.id)]).toEqual([changed, changed]);
    expect([await list('/c'), await list('/a')]).toEqual([[changed], []]);
    expect(await edit(made.id, { metadata: {} })).toEqual({ ...changed, metadata: {}, version: 3 });
  });

  it('are not counted again by an edit, and a create that comes once more answers as it did first', async () => {
    const id = randomUUID();
    const plan = { name: 'free', linksPerMonth: 1 };
    const create = { appId, destination: '/a', metadata: { a: 1 }, random: 'abcdefghijklm', plan };
    const first = await fixture.bus.ask(CreateLink, create, { id });
    await edit(id, { destination: '/b', metadata: {}, archived: true });
    expect(await fixture.bus.ask(CreateLink, create, { id })).toEqual(first);
    expect(await find(id)).toMatchObject({ destination: '/b', version: 2 });
    expect(await fixture.database.rows('select used from link.usage')).toEqual([{ used: 1 }]);
  });

  it('are edited at the version that was read, and at no other', async () => {
    const { id: linkId, version } = await make();
    expect(await edit(linkId, { ifVersion: version, expiresAt })).toMatchObject({ expiresAt, version: 2 });
    const again = await fixture.bus.ask(EditLink, { linkId, ifVersion: version, archived: true });
    expect(again).toEqual({ ok: false, refusal: { code: 'VERSION_MISMATCH', facts: { version: 2 } } });
    expect(await find(linkId)).toMatchObject({ archivedAt: null, version: 2 });
  });

  it('count for the month in which they were made, and for their app', async () => {
    const usage = async (app: string, month: string) =>
      replyOf(await fixture.bus.ask(FindUsage, { appId: app, month })).linksCreated;
    expect(await usage(appId, '2026-11')).toBe(0);
    for (const app of [appId, appId, otherApp]) await make('/x', app);
    expect([await usage(appId, '2026-11'), await usage(otherApp, '2026-11')]).toEqual([2, 1]);
    expect(await usage(appId, '2026-10')).toBe(0);
  });

  it('are counted for their app while they work', async () => {
    const live = async () => replyOf(await fixture.bus.ask(CountLiveLinks, { appId })).live;
    expect(await live()).toBe(0);
    const [kept, archived, expiring] = [await make('/x'), await make('/y'), await make('/z')];
    await make('/x', otherApp);
    await edit(archived.id, { archived: true });
    await edit(expiring.id, { expiresAt: new Date(fixture.clock() + 1_000).toISOString() });
    await edit(kept.id, { expiresAt: new Date(fixture.clock() + 60_000).toISOString() });
    expect(await live()).toBe(2);
    fixture.clock.advance({ seconds: 1 });
    expect(await live()).toBe(1);
  });
});

const teamId = '33333333-3333-4333-8333-333333333333';
const userId = '44444444-4444-4444-8444-444444444444';
const person = { kind: 'person', userId, tokenId: null, address: `${'x'.repeat(42)}A` } as const;

handlerSuite('edits of links', { service: linkService }, (fixture) => {
  const { edit, find, make } = askerOf(fixture);
  const byPerson = { teamId, actor: person };
  const entry = { actor: { kind: 'person', userId, tokenId: null }, address: person.address, teamId, appId };
  const edits = async (asked: Partial<InputOf<typeof ListLinkEdits>> = {}) => {
    const all = { teamId, appId: null, userId: null, limit: 100, cursor: null };
    return replyOf(await fixture.bus.ask(ListLinkEdits, { ...all, ...asked }));
  };

  it('of one link are listed alone, and only for the team that its app belonged to', async () => {
    const [link, other] = [await make(), await make()];
    for (const { id } of [link, other, link]) await edit(id, { ...byPerson, destination: `/${randomUUID()}` });
    const { entries } = await edits({ linkId: link.id });
    expect(entries.map(({ subject }) => subject)).toEqual([link.id, link.id]);
    for (const team of [randomUUID(), null])
      expect(await edits({ linkId: link.id, teamId: team })).toMatchObject({ entries: [] });
  });

  it('are listed with who made them, and what was before and after', async () => {
    const [{ id: subject }, id] = [await make('/a'), randomUUID()];
    await edit(subject, { ...byPerson, destination: '/b', archived: true }, id);
    const at = (await find(subject)).archivedAt;
    const before = { destination: '/a', archivedAt: null };
    const after = { destination: '/b', archivedAt: at };
    expect(await edits()).toEqual({
      entries: [{ ...entry, id, at, action: 'EditLink', subject, before, after }],
      next: null,
    });
  });

  it('are listed with who created the link, once, when somebody did', async () => {
    const id = randomUUID();
    const plan = { name: 'free', linksPerMonth: 2 };
    const asked = { appId, destination: '/a', metadata: { n: 1 }, random: 'abcdefghijklm', plan, by: byPerson };
    const create = () => fixture.bus.ask(CreateLink, asked, { id });
    // A batch of both kinds, a repeat, and one that the plan refuses.
    const [answer] = await Promise.all([create(), make()]);
    expect(await create()).toEqual(answer);
    const refusal = { code: 'GENERATED_LINKS_LIMIT_REACHED' };
    expect(await fixture.bus.ask(CreateLink, asked)).toMatchObject({ refusal });
    const at = replyOf(answer).link.createdAt;
    const after = { destination: '/a', metadata: { n: 1 }, expiresAt: null, archivedAt: null };
    expect(await edits()).toEqual({
      entries: [{ ...entry, id, at, action: 'CreateLink', subject: id, before: null, after }],
      next: null,
    });
  });

  it('that were refused are not listed', async () => {
    const { id } = await make();
    await expect(edit(id, { teamId, ifVersion: 7, archived: true })).rejects.toThrow('VERSION_MISMATCH');
    await expect(edit(randomUUID(), { teamId, archived: true })).rejects.toThrow('LINK_NOT_FOUND');
    expect(await edits()).toEqual({ entries: [], next: null });
  });

  it('are listed latest first, page by page, of one team, app or person', async () => {
    const [one, two] = [await make(), await make('/x', otherApp)];
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await edit(one.id, { teamId, archived: true }, first);
    await edit(two.id, { ...byPerson, archived: true }, second);
    await edit(one.id, { ...byPerson, archived: true }, third);
    for (const team of [randomUUID(), null]) await edit(one.id, { teamId: team, archived: true });
    const ids = async (asked: Parameters<typeof edits>[0]) => (await edits(asked)).entries.map(({ id }) => id);
    expect(await ids({})).toEqual([third, second, first]);
    expect(await ids({ appId })).toEqual([third, first]);
    expect(await ids({ userId })).toEqual([third, second]);
    expect(await ids({ appId, userId })).toEqual([third]);
    const page = await edits({ limit: 2 });
    expect(page.entries.map(({ id }) => id)).toEqual([third, second]);
    const last = await edits({ limit: 2, cursor: page.next });
    expect(last).toMatchObject({ entries: [{ id: first }], next: null });
  });
});

/** Destinations and labels by the id of the event. The test's listener is registered before the bus starts. */
const heardEdits = new Map<string, [destination: string, labels: Record<string, string>]>();

handlerSuite(
  'LinkEdited',
  {
    service(deps) {
      linkService(deps);
      heardEdits.clear();
      deps.bus.listen('test', LinkEdited, async (batch) => {
        for (const { context, data } of batch) heardEdits.set(context.id, [data.destination, data.labels]);
      });
    },
  },
  (fixture) => {
    const { edit, make } = askerOf(fixture);

    it('is told with where the link leads, and with its labels', async () => {
      const { id } = await make('/a');
      const labelKeys = ['inviter'];
      await edit(id, { destination: '/b' });
      await edit(id, { metadata: { inviter: 'ada', seats: 4 }, labelKeys });
      await edit(id, { archived: true, labelKeys });
      await edit(id, { destination: '/c', labelKeys: ['seats'] });
      await fixture.bus.idle();
      expect([...heardEdits.values()]).toEqual([
        ['/b', {}],
        ['/b', { inviter: 'ada' }],
        ['/b', { inviter: 'ada' }],
        ['/c', { seats: '4' }],
      ]);
    });
  },
);
