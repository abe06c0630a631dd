import { randomUUID } from 'node:crypto';
import { CreateLink, type DataOf, type InputOf, type JsonObject, LinkCreated } from '@landfall/contracts';
import { type Fixture, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { monthOf } from '../domain/quota.ts';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const REUSED = { ok: false, refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } };
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** @param fixture read when something is asked: each test has its own */
const askerOf =
  (fixture: Fixture) =>
  (over: Partial<InputOf<typeof CreateLink>> = {}, id: string = randomUUID()) => {
    const random = randomUUID().replaceAll('-', '').slice(0, 16);
    const plan = { name: 'free', linksPerMonth: null };
    const link = { appId, destination: '/invite?code=1', metadata: { b: 1, a: { nested: 'x' } }, random, plan };
    return fixture.bus.ask(CreateLink, { ...link, ...over }, { id });
  };
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

handlerSuite('CreateLink', { service: linkService }, (fixture) => {
  const create = askerOf(fixture);
  const used = () => fixture.database.rows('select used from link.usage order by used');

  it('makes a link under the id of the message', async () => {
    const id = randomUUID();
    const answer = await create({ random: 'abcdefghijklm' }, id);
    if (!answer.ok) return expect.unreachable();
    const { link } = answer.reply;
    expect(link).toMatchObject({ id, appId, destination: '/invite?code=1', version: 1 });
    expect(link.slug).toBe(`${Date.parse(link.createdAt)}-abcdefghijklm`);
    expect(Object.keys(link.metadata)).toEqual(['b', 'a']);
  });

  it('gives the same link for the same id, whatever the random part', async () => {
    const id = randomUUID();
    expect(await create({}, id)).toEqual(await create({}, id));
    expect(await create({ destination: '/other' }, id)).toEqual(REUSED);
  });

  it('gives the same link for a request that is repeated with its keys in another order', async () => {
    const id = randomUUID();
    const first = await create({ repeatable: true }, id);
    const again = (metadata: JsonObject) => create({ repeatable: true, metadata }, id);
    expect(await again({ a: { nested: 'x' }, b: 1 })).toEqual(first);
    for (const other of [{ a: { nested: 'x' }, b: 2 }, { a: { nested: 'x' } }])
      expect(await again(other)).toEqual(REUSED);
  });

  it('knows a request again whose hash was stored with its keys as they were given', async () => {
    const id = randomUUID();
    const first = await create({}, id);
    expect(await create({ repeatable: true }, id)).toEqual(first);
  });

  it('makes exactly as many as the plan has left, of any number at once', async () => {
    const plan = { name: 'starter', linksPerMonth: 50 };
    const answers = await Promise.all(times(200, () => create({ plan })));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(50);
    expect(answers.find((answer) => !answer.ok)).toEqual({
      ok: false,
      refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts: { currentCount: 50, limit: 50, plan: 'starter' } },
    });
    expect(await used()).toEqual([{ used: 50 }]);
    expect(await fixture.database.rows('select count(*)::int as links from link.links')).toEqual([{ links: 50 }]);
  });

  it('makes links of an app that has room beside those of one that has not enough', async () => {
    const full = { appId: '22222222-2222-4222-8222-222222222222', plan: { name: 'tiny', linksPerMonth: 2 } };
    const answers = await Promise.all(times(40, (i) => create(i % 2 === 0 ? { destination: `/${i}` } : full)));
    const made = answers.map((answer) => (answer.ok ? answer.reply.link.destination : answer.refusal.code));
    const ofApp = (odd: 0 | 1) => made.filter((_, i) => i % 2 === odd);
    expect(ofApp(0)).toEqual(times(20, (i) => `/${2 * i}`));
    expect(ofApp(1).filter((one) => one !== 'GENERATED_LINKS_LIMIT_REACHED')).toHaveLength(2);
    expect(await used()).toEqual([{ used: 2 }, { used: 20 }]);
  });

  it('takes the strictest limit that is asked with, where a plan changes just then', async () => {
    const before = { name: 'large', linksPerMonth: 100 };
    const after = { name: 'small', linksPerMonth: 3 };
    const answers = await Promise.all(times(20, (i) => create({ plan: i < 10 ? before : after })));
    const made = (some: typeof answers) => some.filter((answer) => answer.ok).length;
    expect(made(answers.slice(0, 10))).toBe(10);
    expect(made(answers.slice(10))).toBeLessThanOrEqual(3);
  });

  it('answers for a link that somebody else makes at the same time', async () => {
    const id = randomUUID();
    const now = new Date(fixture.clock());
    const answer = await fixture.database.transaction(async (tx) => {
      await tx.rows('insert into link.usage (app_id, month, used) values ($1, $2, 1)', [appId, monthOf(now)]);
      await tx.rows(
        `insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version)
         values ($1, $2, 'theirs', '/theirs', '{}', $3, $4, 1)`,
        [id, appId, Buffer.alloc(32), now],
      );
      const asking = create({}, id);
      // The request has found no link, and waits for our transaction.
      await expect.poll(() => fixture.database.rows(WAITING)).not.toEqual([]);
      return { asking };
    });
    expect(await answer.asking).toEqual(REUSED);
    expect(await used()).toEqual([{ used: 1 }]);
  });

  it('counts links also for an app without a limit', async () => {
    await create();
    expect(await create({ plan: { name: 'tiny', linksPerMonth: 1 } })).toMatchObject({ ok: false });
  });
});

/** Received events and their ids. The test's listener is registered before the bus starts. */
const heard: { id: string; data: DataOf<typeof LinkCreated> }[] = [];
handlerSuite(
  'LinkCreated',
  {
    service(deps) {
      linkService(deps);
      heard.length = 0;
      deps.bus.listen(
        'test',
        LinkCreated,
        async (batch) => void heard.push(...batch.map(({ data, context: { id } }) => ({ id, data }))),
      );
    },
  },
  (fixture) => {
    const create = askerOf(fixture);

    it('is told with one id, however often the message is delivered', async () => {
      await create();
      expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
    });

    it('has the metadata that the app names as labels, whatever the batch', async () => {
      const metadata = { inviter: 'ada', seats: 4, gift: false, nested: { a: 1 }, none: null, email: 'a@example.com' };
      const labelKeys = ['inviter', 'seats', 'gift', 'nested', 'none', 'missing', 'constructor'];
      const id = randomUUID();
      for (const _ of [1, 2]) await create({ metadata, labelKeys }, id);
      expect(heard.length).toBeGreaterThan(0);
      for (const { data } of heard) expect(data.labels).toEqual({ inviter: 'ada', seats: '4', gift: 'false' });
    });

    it('does not change what a repeated request is', async () => {
      const id = randomUUID();
      const first = await create({}, id);
      expect(await create({ labelKeys: ['b'] }, id)).toEqual(first);
    });

    it('is not told for a refusal', async () => {
      await create({ plan: { name: 'none', linksPerMonth: 0 } });
      expect(heard).toEqual([]);
    });
  },
);
