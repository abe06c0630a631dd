import { randomUUID } from 'node:crypto';
import { CreateLink, type InputOf, LinkCreated } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const input = (over: Partial<InputOf<typeof CreateLink>> = {}): InputOf<typeof CreateLink> => ({
  appId,
  destination: '/invite?code=1',
  metadata: { b: 1, a: { nested: 'x' } },
  random: 'abcdefghijklm',
  plan: { name: 'free', linksPerMonth: null },
  ...over,
});
const random = () => randomUUID().replaceAll('-', '').slice(0, 16);

handlerSuite('CreateLink', { service: linkService }, (house) => {
  it('makes a link under the id of the message and tells it', async () => {
    const id = randomUUID();
    const answer = await house.bus.ask(CreateLink, input(), { id });
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
    const first = await house.bus.ask(CreateLink, input(), { id });
    const second = await house.bus.ask(CreateLink, input({ random: 'zzzzzzzzzzzzz' }), { id });
    expect(second).toEqual(first);
  });

  it('refuses an id with another input', async () => {
    const id = randomUUID();
    await house.bus.ask(CreateLink, input(), { id });
    const other = await house.bus.ask(CreateLink, input({ destination: '/other' }), { id });
    expect(other).toEqual({ ok: false, refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } });
  });

  it('makes exactly as many as the plan has left, of any number at once', async () => {
    const plan = { name: 'starter', linksPerMonth: 50 };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => house.bus.ask(CreateLink, input({ plan, random: random() }))),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(50);
    expect(answers.find((answer) => !answer.ok)).toEqual({
      ok: false,
      refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts: { currentCount: 50, limit: 50, plan: 'starter' } },
    });
    expect(await house.database.rows('select used from link.usage')).toEqual([{ used: 50 }]);
    expect(await house.database.rows('select count(*)::int as links from link.links')).toEqual([{ links: 50 }]);
  });

  it('counts links also for an app without a limit', async () => {
    await house.bus.ask(CreateLink, input({ random: random() }));
    const limited = input({ random: random(), plan: { name: 'tiny', linksPerMonth: 1 } });
    expect(await house.bus.ask(CreateLink, limited)).toMatchObject({ ok: false });
  });
});

/** Registered by a test that listens, before the bus starts. */
const heard: string[] = [];
handlerSuite(
  'LinkCreated',
  {
    service(deps) {
      linkService(deps);
      heard.length = 0;
      deps.bus.listen('test', LinkCreated, async (batch) => void heard.push(...batch.map((m) => m.context.id)));
    },
  },
  (house) => {
    it('is told with one id, however often the message is delivered', async () => {
      await house.bus.ask(CreateLink, input());
      expect(new Set(heard).size).toBe(1);
    });

    it('is not told for a refusal', async () => {
      await house.bus.ask(CreateLink, input({ plan: { name: 'none', linksPerMonth: 0 } }));
      expect(heard).toEqual([]);
    });
  },
);
