import { randomUUID } from 'node:crypto';
import {
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

async function make(fixture: Fixture, app = appId, destination = '/x'): Promise<Link> {
  const answer = await fixture.bus.ask(CreateLink, {
    appId: app,
    destination,
    metadata: {},
    random: randomUUID().replaceAll('-', '').slice(0, 16),
    plan: { name: 'free', linksPerMonth: null },
  });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply.link;
}

/** Destinations and labels by the id of the event. The test's listener is registered before the bus starts. */
const heardEdits = new Map<string, [destination: string, labels: Record<string, string>]>();

const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);

/** Returns the links of all pages, by following the cursors. */
async function list(fixture: Fixture, asked: Partial<InputOf<typeof ListLinks>> = {}, limit = 2): Promise<Link[]> {
  const links: Link[] = [];
  let cursor: string | null = null;
  do {
    const { reply } = (await fixture.bus.ask(ListLinks, { appId, limit, ...asked, cursor })) as {
      reply: { links: Link[]; next: string | null };
    };
    expect(reply.links.length).toBeLessThanOrEqual(limit);
    links.push(...reply.links);
    cursor = reply.next;
  } while (cursor);
  return links;
}

handlerSuite('links', { service: linkService }, (fixture) => {
  it('are found by slug within their app only, and by id', async () => {
    const link = await make(fixture);
    const { slug } = link;
    expect(await fixture.bus.ask(ResolveLink, { appId, slug })).toEqual({ ok: true, reply: { link } });
    expect(await fixture.bus.ask(FindLink, { linkId: link.id })).toEqual({ ok: true, reply: { link } });
    const notFound = { ok: false, refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
    expect(await fixture.bus.ask(ResolveLink, { appId: otherApp, slug })).toEqual(notFound);
    expect(await fixture.bus.ask(FindLink, { linkId: randomUUID() })).toEqual(notFound);
  });

  it('are listed newest first, page by page, of one app', async () => {
    const made: Link[] = [];
    for (let i = 0; i < 5; i++) made.push(await make(fixture));
    await make(fixture, otherApp);
    expect(await list(fixture)).toEqual(made.reverse());
  });

  it('are listed by state', async () => {
    const [live, lasting, expired, archived, both] = [
      await make(fixture),
      await make(fixture),
      await make(fixture),
      await make(fixture),
      await make(fixture),
    ];
    const inAnHour = new Date(fixture.clock() + 3_600_000).toISOString();
    const inADay = new Date(fixture.clock() + 86_400_000).toISOString();
    await fixture.bus.ask(EditLink, { linkId: lasting.id, expiresAt: inADay });
    await fixture.bus.ask(EditLink, { linkId: expired.id, expiresAt: inAnHour });
    await fixture.bus.ask(EditLink, { linkId: both.id, expiresAt: inAnHour, archived: true });
    await fixture.bus.ask(EditLink, { linkId: archived.id, archived: true });
    fixture.clock.advance({ hours: 2 });
    for (const limit of [1, 100]) {
      expect(idsOf(await list(fixture, { state: 'live' }, limit))).toEqual([lasting.id, live.id]);
      expect(idsOf(await list(fixture, { state: 'expired' }, limit))).toEqual([expired.id]);
      expect(idsOf(await list(fixture, { state: 'archived' }, limit))).toEqual([both.id, archived.id]);
      expect(await list(fixture, { state: 'all' }, limit)).toHaveLength(5);
    }
    await fixture.bus.ask(EditLink, { linkId: both.id, archived: false });
    expect(idsOf(await list(fixture, { state: 'expired' }))).toEqual([both.id, expired.id]);
  });

  it('are listed by how their destination begins, whatever it is made of', async () => {
    const destinations = [
      '/a',
      '/a%b',
      '/a_b',
      '/aXb',
      '/ä',
      '/ä/\u{10ffff}\u{10ffff}',
      `/${'l'.repeat(200)}/1`,
      `/${'l'.repeat(200)}/2`,
    ];
    const made: Link[] = [];
    for (const destination of destinations) made.unshift(await make(fixture, appId, destination));
    await make(fixture, otherApp, '/a');
    const beginnings = [
      '/',
      '/a',
      '/a%',
      '/a_',
      '/ä',
      '/ä/',
      '/ä/\u{10ffff}',
      '/A',
      `/${'l'.repeat(150)}`,
      `/${'l'.repeat(200)}/1`,
      '/none',
    ];
    for (const search of beginnings) {
      const expected = made.filter(({ destination }) => destination.startsWith(search));
      expect(idsOf(await list(fixture, { search }))).toEqual(idsOf(expected));
    }
  });

  it('are listed by how their slug begins, and by when they were made', async () => {
    const made: Link[] = [];
    for (let i = 0; i < 4; i++) {
      made.unshift(await make(fixture));
      fixture.clock.advance({ hours: 1 });
    }
    const [last, third, second, first] = made as [Link, Link, Link, Link];
    expect(idsOf(await list(fixture, { search: second.slug }))).toEqual([second.id]);
    expect(idsOf(await list(fixture, { search: `https://x.example/${second.slug.slice(0, -3)}` }))).toEqual([
      second.id,
    ]);
    expect(await list(fixture, { search: `${second.slug.split('-')[0]}-~` })).toEqual([]);
    expect(idsOf(await list(fixture, { search: second.slug.slice(0, 5) }))).toEqual(idsOf(made));
    const between = { createdFrom: second.createdAt, createdBefore: last.createdAt };
    expect(idsOf(await list(fixture, between, 1))).toEqual([third.id, second.id]);
    expect(idsOf(await list(fixture, { ...between, search: third.slug }))).toEqual([third.id]);
    expect(await list(fixture, { ...between, search: first.slug })).toEqual([]);
    expect(idsOf(await list(fixture, { ...between, search: '/x', state: 'live' }))).toEqual([third.id, second.id]);
  });

  it('are edited: expiry, archived and back, a version each time', async () => {
    const { id: linkId } = await make(fixture);
    const expiresAt = '2027-01-01T00:00:00.000Z';
    const edited = await fixture.bus.ask(EditLink, { linkId, expiresAt });
    expect(edited).toMatchObject({ ok: true, reply: { link: { expiresAt, archivedAt: null, version: 2 } } });
    const archived = await fixture.bus.ask(EditLink, { linkId, archived: true });
    expect(archived).toMatchObject({ ok: true, reply: { link: { expiresAt, version: 3 } } });
    if (archived.ok) expect(archived.reply.link.archivedAt).not.toBeNull();
    const back = await fixture.bus.ask(EditLink, { linkId, archived: false, expiresAt: null });
    expect(back).toMatchObject({ ok: true, reply: { link: { expiresAt: null, archivedAt: null, version: 4 } } });
  });

  it('lead elsewhere and have other metadata, and are found as they are', async () => {
    const made = await make(fixture, appId, '/a?b=1');
    const metadata = { z: 1, a: { nested: [1, null] } };
    const changed = { ...made, destination: '/c?d=2', metadata, version: 2 };
    const answer = await fixture.bus.ask(EditLink, { linkId: made.id, destination: '/c?d=2', metadata });
    expect(answer).toEqual({ ok: true, reply: { link: changed } });
    if (answer.ok) expect(Object.keys(answer.reply.link.metadata)).toEqual(['z', 'a']);
    expect(await fixture.bus.ask(ResolveLink, { appId, slug: made.slug })).toEqual(answer);
    expect(await fixture.bus.ask(FindLink, { linkId: made.id })).toEqual(answer);
    expect(idsOf(await list(fixture, { search: '/c' }))).toEqual([made.id]);
    expect(await list(fixture, { search: '/a' })).toEqual([]);
    const emptied = await fixture.bus.ask(EditLink, { linkId: made.id, metadata: {} });
    expect(emptied).toEqual({ ok: true, reply: { link: { ...changed, metadata: {}, version: 3 } } });
  });

  it('are not counted again by an edit, and a create that comes once more answers as it did first', async () => {
    const id = randomUUID();
    const plan = { name: 'free', linksPerMonth: 1 };
    const create = { appId, destination: '/a', metadata: { a: 1 }, random: 'abcdefghijklm', plan };
    const first = await fixture.bus.ask(CreateLink, create, { id });
    await fixture.bus.ask(EditLink, { linkId: id, destination: '/b', metadata: {}, archived: true });
    expect(await fixture.bus.ask(CreateLink, create, { id })).toEqual(first);
    expect(await fixture.bus.ask(FindLink, { linkId: id })).toMatchObject({
      reply: { link: { destination: '/b', version: 2 } },
    });
    expect(await fixture.database.rows('select used from link.usage')).toEqual([{ used: 1 }]);
  });

  it('are edited at the version that was read, and at no other', async () => {
    const { id: linkId, version } = await make(fixture);
    const expiresAt = '2027-01-01T00:00:00.000Z';
    const edited = await fixture.bus.ask(EditLink, { linkId, ifVersion: version, expiresAt });
    expect(edited).toMatchObject({ ok: true, reply: { link: { expiresAt, version: 2 } } });
    const again = await fixture.bus.ask(EditLink, { linkId, ifVersion: version, archived: true });
    expect(again).toEqual({ ok: false, refusal: { code: 'VERSION_MISMATCH', facts: { version: 2 } } });
    expect(await fixture.bus.ask(FindLink, { linkId })).toMatchObject({
      reply: { link: { archivedAt: null, version: 2 } },
    });
  });

  it('count for the month in which they were made, and for their app', async () => {
    const usage = async (app: string, month: string) => {
      const answer = await fixture.bus.ask(FindUsage, { appId: app, month });
      return answer.ok && answer.reply.linksCreated;
    };
    expect(await usage(appId, '2026-11')).toBe(0);
    for (const app of [appId, appId, otherApp]) await make(fixture, app);
    expect([await usage(appId, '2026-11'), await usage(otherApp, '2026-11')]).toEqual([2, 1]);
    expect(await usage(appId, '2026-10')).toBe(0);
  });

  it('that do not exist cannot be edited', async () => {
    const answer = await fixture.bus.ask(EditLink, { linkId: randomUUID(), archived: true });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'LINK_NOT_FOUND' } });
  });
});

const teamId = '33333333-3333-4333-8333-333333333333';
const userId = '44444444-4444-4444-8444-444444444444';
const person = { kind: 'person', userId, tokenId: null, address: `${'x'.repeat(42)}A` } as const;

handlerSuite('edits of links', { service: linkService }, (fixture) => {
  const edits = async (asked: Partial<InputOf<typeof ListLinkEdits>> = {}) => {
    const answer = await fixture.bus.ask(ListLinkEdits, {
      teamId,
      appId: null,
      userId: null,
      limit: 100,
      cursor: null,
      ...asked,
    });
    if (!answer.ok) throw new Error('refused');
    return answer.reply;
  };

  it('of one link are listed alone, and only for the team that its app belonged to', async () => {
    const [link, other] = [await make(fixture, appId, '/a'), await make(fixture, appId, '/b')];
    for (const { id: linkId } of [link, other, link])
      await fixture.bus.ask(EditLink, { linkId, teamId, actor: person, destination: `/${randomUUID()}` });
    const { entries } = await edits({ linkId: link.id });
    expect(entries.map(({ subject }) => subject)).toEqual([link.id, link.id]);
    expect(await edits({ linkId: link.id, teamId: randomUUID() })).toMatchObject({ entries: [] });
    expect(await edits({ linkId: link.id, teamId: null })).toMatchObject({ entries: [] });
  });

  it('are listed with who made them, and what was before and after', async () => {
    const link = await make(fixture, appId, '/a');
    const id = randomUUID();
    await fixture.bus.ask(
      EditLink,
      { linkId: link.id, teamId, actor: person, destination: '/b', archived: true },
      { id },
    );
    const { reply } = (await fixture.bus.ask(FindLink, { linkId: link.id })) as { reply: { link: Link } };
    expect(await edits()).toEqual({
      entries: [
        {
          id,
          at: reply.link.archivedAt,
          actor: { kind: 'person', userId, tokenId: null },
          address: person.address,
          action: 'EditLink',
          teamId,
          appId,
          subject: link.id,
          before: { destination: '/a', archivedAt: null },
          after: { destination: '/b', archivedAt: reply.link.archivedAt },
        },
      ],
      next: null,
    });
  });

  it('are listed with who created the link, once, when somebody did', async () => {
    const id = randomUUID();
    const by = { actor: person, teamId };
    const asked = { appId, destination: '/a', metadata: { n: 1 }, random: 'abcdefghijklm' };
    const create = (over: object) =>
      fixture.bus.ask(CreateLink, { ...asked, plan: { name: 'free', linksPerMonth: 2 }, ...over }, { id });
    // A batch of both kinds, a repeat, and one that the plan refuses.
    const [answer] = await Promise.all([create({ by }), make(fixture)]);
    expect(await create({ by })).toEqual(answer);
    expect(await fixture.bus.ask(CreateLink, { ...asked, by, plan: { name: 'free', linksPerMonth: 2 } })).toMatchObject(
      {
        refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED' },
      },
    );
    const { reply } = answer as { reply: { link: Link } };
    expect(await edits()).toEqual({
      entries: [
        {
          id,
          at: reply.link.createdAt,
          actor: { kind: 'person', userId, tokenId: null },
          address: person.address,
          action: 'CreateLink',
          teamId,
          appId,
          subject: id,
          before: null,
          after: { destination: '/a', metadata: { n: 1 }, expiresAt: null, archivedAt: null },
        },
      ],
      next: null,
    });
  });

  it('that were refused are not listed', async () => {
    const { id: linkId } = await make(fixture);
    await fixture.bus.ask(EditLink, { linkId, teamId, ifVersion: 7, archived: true });
    await fixture.bus.ask(EditLink, { linkId: randomUUID(), teamId, archived: true });
    expect(await edits()).toEqual({ entries: [], next: null });
  });

  it('are listed latest first, page by page, of one team, app or person', async () => {
    const [one, two] = [await make(fixture), await make(fixture, otherApp)];
    const edit = async (linkId: string, over: Partial<InputOf<typeof EditLink>> = {}) => {
      const id = randomUUID();
      await fixture.bus.ask(EditLink, { linkId, teamId, archived: true, ...over }, { id });
      return id;
    };
    const first = await edit(one.id);
    const second = await edit(two.id, { actor: person });
    const third = await edit(one.id, { actor: person });
    await edit(one.id, { teamId: randomUUID() });
    await edit(one.id, { teamId: null });
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
    it('is told with where the link leads, and with its labels', async () => {
      const { id: linkId } = await make(fixture, appId, '/a');
      const labelKeys = ['inviter'];
      await fixture.bus.ask(EditLink, { linkId, destination: '/b' });
      await fixture.bus.ask(EditLink, { linkId, metadata: { inviter: 'ada', seats: 4 }, labelKeys });
      await fixture.bus.ask(EditLink, { linkId, archived: true, labelKeys });
      await fixture.bus.ask(EditLink, { linkId, destination: '/c', labelKeys: ['seats'] });
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
