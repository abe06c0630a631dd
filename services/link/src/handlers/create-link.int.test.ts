import { randomUUID } from 'node:crypto';
import { CreateLink, type DataOf, type InputOf, LinkCreated } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { monthOf } from '../domain/quota.ts';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const input = (over: Partial<InputOf<typeof CreateLink>> = {}): InputOf<typeof CreateLink> => ({
  appId,
  destination: '/invite?code=1',
  metadata: { b: 1, a: { nested: 'x' } },
  random: 'abcdefghijklm',
  plan: { name: 'free', linksPerMonth: null },
  labelKeys: [],
  by: null,
  ...over,
});
const random = () => randomUUID().replaceAll('-', '').slice(0, 16);

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

handlerSuite('CreateLink', { service: linkService }, (fixture) => {
  it('makes a link under the id of the message and tells it', async () => {
    const id = randomUUID();
    const answer = await fixture.bus.ask(CreateLink, input(), { id });
    expect(answer).toMatchObject({
      ok: true,
      reply: { link: { id, appId, destination: '/invite?code=1', version: 1 } },
    });
    if (!answer.ok) return;
    const { link } = answer.reply;
    expect(link.slug).toBe(`${Date.parse(link.createdAt)}-abcdefghijklm`);
    expect(Object.keys(link.metadata)).toEqual(['b', 'a']);
  });

  it('gives the same link for the same id, whatever the random part', async () => {
    const id = randomUUID();
    const first = await fixture.bus.ask(CreateLink, input(), { id });
    const second = await fixture.bus.ask(CreateLink, input({ random: 'zzzzzzzzzzzzz' }), { id });
    expect(second).toEqual(first);
  });

  it('gives the same link for a request that is repeated with its keys in another order', async () => {
    const id = randomUUID();
    const asked = input({ repeatable: true });
    const first = await fixture.bus.ask(CreateLink, asked, { id });
    const metadata = { a: { nested: 'x' }, b: 1 };
    const again = await fixture.bus.ask(CreateLink, { ...asked, metadata }, { id });
    expect(again).toEqual(first);
    for (const other of [{ a: { nested: 'x' }, b: 2 }, { a: { nested: 'x' } }])
      expect(await fixture.bus.ask(CreateLink, { ...asked, metadata: other }, { id })).toEqual({
        ok: false,
        refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} },
      });
  });

  it('knows a request again whose hash was stored with its keys as they were given', async () => {
    const id = randomUUID();
    const first = await fixture.bus.ask(CreateLink, input(), { id });
    expect(await fixture.bus.ask(CreateLink, input({ repeatable: true }), { id })).toEqual(first);
  });

  it('refuses an id with another input', async () => {
    const id = randomUUID();
    await fixture.bus.ask(CreateLink, input(), { id });
    const other = await fixture.bus.ask(CreateLink, input({ destination: '/other' }), { id });
    expect(other).toEqual({ ok: false, refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } });
  });

  it('makes exactly as many as the plan has left, of any number at once', async () => {
    const plan = { name: 'starter', linksPerMonth: 50 };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => fixture.bus.ask(CreateLink, input({ plan, random: random() }))),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(50);
    expect(answers.find((answer) => !answer.ok)).toEqual({
      ok: false,
      refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts: { currentCount: 50, limit: 50, plan: 'starter' } },
    });
    expect(await fixture.database.rows('select used from link.usage')).toEqual([{ used: 50 }]);
    expect(await fixture.database.rows('select count(*)::int as links from link.links')).toEqual([{ links: 50 }]);
  });

  it('makes links of an app that has room beside those of one that has not enough', async () => {
    const other = '22222222-2222-4222-8222-222222222222';
    const full = { name: 'tiny', linksPerMonth: 2 };
    const asked = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0
        ? input({ destination: `/${i}`, random: random() })
        : input({ appId: other, plan: full, random: random() }),
    );
    const answers = await Promise.all(asked.map((one) => fixture.bus.ask(CreateLink, one)));
    const made = answers.map((answer) => (answer.ok ? answer.reply.link.destination : answer.refusal.code));
    const ofApp = (odd: 0 | 1) => made.filter((_, i) => i % 2 === odd);
    expect(ofApp(0)).toEqual(asked.filter((_, i) => i % 2 === 0).map(({ destination }) => destination));
    expect(ofApp(1).filter((one) => one !== 'GENERATED_LINKS_LIMIT_REACHED')).toHaveLength(2);
    expect(await fixture.database.rows('select used from link.usage order by used')).toEqual([
      { used: 2 },
      { used: 20 },
    ]);
  });

  it('takes the strictest limit that is asked with, where a plan changes just then', async () => {
    const before = { name: 'large', linksPerMonth: 100 };
    const after = { name: 'small', linksPerMonth: 3 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        fixture.bus.ask(CreateLink, input({ plan: i < 10 ? before : after, random: random() })),
      ),
    );
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
      const asking = fixture.bus.ask(CreateLink, input(), { id });
      // The request has found no link, and waits for our transaction.
      await expect.poll(() => fixture.database.rows(WAITING)).not.toEqual([]);
      return { asking };
    });
    expect(await answer.asking).toEqual({ ok: false, refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } });
    expect(await fixture.database.rows('select used from link.usage')).toEqual([{ used: 1 }]);
  });

  it('counts links also for an app without a limit', async () => {
    await fixture.bus.ask(CreateLink, input({ random: random() }));
    const limited = input({ random: random(), plan: { name: 'tiny', linksPerMonth: 1 } });
    expect(await fixture.bus.ask(CreateLink, limited)).toMatchObject({ ok: false });
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
    it('is told with one id, however often the message is delivered', async () => {
      await fixture.bus.ask(CreateLink, input());
      expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
    });

    it('has the metadata that the app names as labels, whatever the batch', async () => {
      const metadata = { inviter: 'ada', seats: 4, gift: false, nested: { a: 1 }, none: null, email: 'a@example.com' };
      const labelKeys = ['inviter', 'seats', 'gift', 'nested', 'none', 'missing', 'constructor'];
      const asked = input({ metadata, labelKeys });
      const id = randomUUID();
      await fixture.bus.ask(CreateLink, asked, { id });
      await fixture.bus.ask(CreateLink, { ...asked, random: 'zzzzzzzzzzzzz' }, { id });
      expect(heard.length).toBeGreaterThan(0);
      for (const { data } of heard) expect(data.labels).toEqual({ inviter: 'ada', seats: '4', gift: 'false' });
    });

    it('does not change what a repeated request is', async () => {
      const id = randomUUID();
      const first = await fixture.bus.ask(CreateLink, input(), { id });
      expect(await fixture.bus.ask(CreateLink, input({ labelKeys: ['b'] }), { id })).toEqual(first);
    });

    it('is not told for a refusal', async () => {
      await fixture.bus.ask(CreateLink, input({ plan: { name: 'none', linksPerMonth: 0 } }));
      expect(heard).toEqual([]);
    });
  },
);
