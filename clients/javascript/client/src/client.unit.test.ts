import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient, LandfallError, type Link } from './index.ts';
import { World } from './world.testing.ts';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const OPTIONS = { url: 'https://api.example/', key: `ol_${'0'.repeat(32)}`, hosts: ['Shop.links.example:443'] };
const URL = 'https://shop.links.example/1-a';
const LINK = { id: 'l1', slug: '1-a', destination: '/a', parameters: {}, metadata: {} };
const found = { status: 200, json: { success: true, link: LINK } };

function phone(options: object = {}, device: Readonly<Record<string, unknown>> = { platform: 'ios' }, stored?: string) {
  const world = new World(NOON, device, stored);
  const problems: string[] = [];
  const make = () =>
    createClient({ ...OPTIONS, onProblem: (sentence) => problems.push(sentence), ...options }, world.system());
  return { world, make, client: make(), problems };
}

describe('any answer', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.record({
      success: fc.constant(true),
      restoredLinks: fc.jsonValue(),
      link: fc.jsonValue(),
      device: fc.jsonValue(),
    }),
    fc.record({
      success: fc.constant(true),
      restoredLinks: fc.array(
        fc.record({ destination: fc.oneof(fc.string(), fc.constant('/a')), metadata: fc.jsonValue() }),
      ),
      link: fc.record({ destination: fc.string(), parameters: fc.jsonValue(), id: fc.jsonValue() }),
      app: fc.record({ hosts: fc.jsonValue(), ios: fc.jsonValue(), android: fc.jsonValue() }),
    }),
  );
  const answer = fc.record({
    status: fc.oneof(fc.constant(200), fc.integer({ min: 100, max: 599 })),
    text: fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string(),
    ),
  });

  it('crashes nothing, and start() returns within three seconds', async () => {
    const unhandled: unknown[] = [];
    const note = (fault: unknown) => unhandled.push(fault);
    process.on('unhandledRejection', note);
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 12 }), fc.string(), async (answers, stored) => {
        const { world, client, problems } = phone({ clipboard: true }, { platform: 'android', clipboard: URL }, stored);
        let over = false;
        let i = 0;
        const serve = async () => {
          await world.settle();
          for (const asked of world.requests.splice(0)) asked.answer(answers[i++ % answers.length]!);
          await world.settle();
        };
        client.start().then(
          () => {
            over = true;
          },
          () => expect.fail('start() rejected'),
        );
        client.identify({ email: 'ada@example.com' });
        client.open(URL);
        await serve();
        await world.pass(3_000);
        expect(over).toBe(true);
        void client.push.register('token');
        client.push.opened({ notificationId: 'n1', destinationPath: '/a' });
        const called = [client.resolve(URL), client.create({ destination: '/a' })].map((work) =>
          work.catch((fault) => expect(fault).toBeInstanceOf(LandfallError)),
        );
        const findings = client.diagnose();
        for (let round = 0; round < 6; round++) {
          await serve();
          await world.pass(15_000);
        }
        await Promise.all(called);
        expect((await findings).length).toBeGreaterThan(8);
        expect(problems.filter((sentence) => /fault/.test(sentence))).toEqual([]);
      }),
      { numRuns: 200 },
    );
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('the set-up', () => {
  it.each([
    ['url', undefined],
    ['url', 'api.example'],
    ['url', 'https://'],
    ['url', 'https://api.example/api'],
    ['key', undefined],
    ['key', 'ol_…'],
    ['hosts', undefined],
    ['hosts', 'shop.links.example'],
    ['hosts', []],
    ['hosts', ['shop.links.example', '']],
    ['hosts', [undefined]],
  ])('is refused with a wrong %s: %j', (name, value) => {
    const make = () => phone({ [name]: value });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(new RegExp(`^\`${name}\` must .*\\.$`));
  });

  it('is not that of another server, as diagnose says', async () => {
    const { world, client } = phone();
    const findings = client.diagnose();
    await world.settle();
    world.requests[0]!.answer({ status: 404, json: { error: 'There is nothing here.', code: 'NOT_FOUND' } });
    const [server, key] = await findings;
    expect(server).toMatchObject({ check: 'server', passed: false, fix: expect.stringContaining('`url`') });
    expect(server!.detail).toBe('https://api.example/ answered with 404.');
    expect(key).toMatchObject({ check: 'key', passed: null });
  });
});

describe('the storage', () => {
  it('keeps two changes that are made at once, and writes them one after the other', async () => {
    const { world, client } = phone();
    await client.consent(true);
    const writes: (() => void)[] = [];
    const system = world.system();
    const slow = createClient(OPTIONS, {
      ...system,
      storage: {
        ...system.storage,
        setItem: (key, value) =>
          new Promise<void>((resolve) => {
            writes.push(() => resolve(system.storage.setItem(key, value) as never));
          }),
      },
    });
    void slow.consent(true);
    void slow.push.register('token');
    await world.settle();
    expect(writes).toHaveLength(1);
    for (const write of writes) {
      write();
      await world.settle();
    }
    expect(JSON.parse(world.stored!)).toMatchObject({ consent: true, push: { token: 'token' } });
  });

  it('may fail: links are delivered, and the developer is told', async () => {
    const { world, problems } = phone();
    const broken = () => Promise.reject(new Error('disk full'));
    const client = createClient(
      { ...OPTIONS, onProblem: (sentence) => problems.push(sentence) },
      { ...world.system(), storage: { getItem: broken, setItem: broken, removeItem: broken } },
    );
    const links: Link[] = [];
    client.onLink((link) => links.push(link));
    client.open(URL);
    await world.settle();
    world.requests.shift()!.answer(found);
    await world.settle();
    expect(links.map(({ destination }) => destination)).toEqual(['/a']);
    expect(problems[0]).toContain('disk full');
  });
});

describe('a listener', () => {
  it('that comes late gets the links of before, and one that left gets no more', async () => {
    const { world, client } = phone();
    const got: string[] = [];
    const open = async () => {
      client.open(URL);
      await world.settle();
      world.requests.shift()!.answer(found);
      await world.settle();
    };
    await open();
    const leave = client.onLink((link) => got.push(`first ${link.path}`));
    client.onLink(() => {
      throw new Error('of the app');
    });
    client.onLink((link) => got.push(`third ${link.path}`));
    expect(got).toEqual(['first /a']);
    await open();
    leave();
    await open();
    expect(got).toEqual(['first /a', 'first /a', 'third /a', 'third /a']);
  });
});

describe('a URL', () => {
  it.each([
    ['https://shop.links.example/a', true],
    ['HTTP://SHOP.links.example:8080/a?b#c', true],
    ['https://shop.links.example', false],
    ['https://shop.links.example/?a=1', false],
    ['https://shop.links.example@evil.example/a', false],
    ['https://shop.links.example:x@evil.example/a', false],
    ['https://evil.example\\@shop.links.example/a', false],
    ['https://evil.example/https://shop.links.example/a', false],
    ['https://notshop.links.example/a', false],
  ])('%s is ours: %s', (url, ours) => {
    expect(phone().client.isOurs(url)).toBe(ours);
  });
});

describe('the clipboard', () => {
  it('is nobody’s business if it is no link of the app', async () => {
    const { world, client } = phone({ clipboard: true }, { platform: 'ios', clipboard: 'my password' });
    void client.start();
    await world.settle();
    expect(world.requests.map(({ path: asked }) => asked)).toHaveLength(2);
    expect(JSON.stringify(world.requests)).not.toContain('password');
  });
});

describe('forget', () => {
  it('stores nothing of what was under way', async () => {
    const { world, client } = phone();
    const started = client.start();
    await world.settle();
    const [heartbeat, restore] = world.requests.splice(0);
    await client.forget();
    expect(await started).toBeNull();
    heartbeat!.answer({ status: 200, json: { success: true } });
    restore!.answer({ status: 200, json: { success: true, restoredLinks: [{ destination: '/a' }] } });
    await world.pass(60_000);
    expect(world.stored).toBeUndefined();
    expect(client.lastLink).toBeNull();
    expect(world.requests).toEqual([]);
  });
});
