// Cases of the Kafka adapter that need one broker: poison messages, dead letters and their replay, members that end,
// handlers that hang.
import { randomUUID } from 'node:crypto';
import { describeWithKafka } from '@landfall/testkit/scale-out';
import { afterEach, expect, test } from 'vitest';
import { collector, errorOf, gate } from '../conformance/gates.ts';
import { each } from '../port.ts';
import { Add, Added, away, freshPrefix, member, startWorker, type Worker } from './cluster.testing.ts';
import { brokers, deadLetters, running, settled, started, stopAll, write } from './started.testing.ts';
import { partitionOf } from './topics/names.ts';
import { eventHeaders } from './wire.ts';

afterEach(stopAll);

async function startedWorker(prefix: string, commitMs?: number): Promise<Worker> {
  const worker = await startWorker(brokers, prefix, commitMs);
  running.push({ stop: () => worker.end('SIGKILL') });
  return worker;
}

const header = (name: string, id: string = randomUUID()) =>
  eventHeaders({ name, id, time: Date.now(), trace: undefined }, '/test', 'k');

describeWithKafka('poison', () => {
  test('ends in the dead letters with its reason, and its neighbours are answered', async () => {
    const prefix = freshPrefix();
    const taken: number[] = [];
    const bus = member(brokers, prefix);
    bus.answer(Add, async (batch) => {
      if (batch.some(({ data }) => data.n === 13)) throw new Error('cannot take 13');
      taken.push(...batch.map(({ data }) => data.n));
      return batch.map(({ data }) => ({ reply: { n: data.n, by: 'us' } }));
    });
    await started(bus);
    const asked = [1, 13, 2].map((n) => bus.ask(Add, { n }));
    const partition = partitionOf('k', 3);
    const poison = [
      { value: 'no { json', headers: header('Add') },
      { value: null, headers: header('Add') },
      { value: '{"n":"one"}', headers: header('Add') },
      { value: '{"n":1}', headers: header('Add', 'no id') },
      { value: '{"n":1}', headers: header('Unknown') },
      { value: '{"n":1}' },
    ];
    await write(`${prefix}sums.commands`, ...poison.map((message) => ({ key: 'k', partition, ...message })));
    asked.push(bus.ask(Add, { n: 3 }));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { name: 'Failed' } });
    await settled(prefix);
    expect(taken.toSorted()).toEqual([1, 2, 3]);
    const letters = await deadLetters(prefix).list('sums.commands');
    expect(letters.map(({ reason }) => reason).toSorted()).toEqual([
      'Add: n: Invalid input: expected number, received string',
      'Add: the id must be a UUID in lower case',
      'Error: cannot take 13',
      'its value is not JSON',
      'its value is not JSON',
      'nobody here knows Unknown',
      'nobody here knows a message without a name',
    ]);
    expect(letters.find(({ reason }) => reason.includes('13'))).toMatchObject({
      attempts: 3,
      key: 'k',
      data: { n: 13 },
    });
    expect(letters.find(({ data }) => data === 'no { json')).toMatchObject({
      topic: `${prefix}sums.commands`,
      partition,
    });
  });

  test('in a topic of events is kept, and what others tell there is passed over', async () => {
    const prefix = freshPrefix();
    const heard = collector<number>();
    const bus = member(brokers, prefix);
    bus.listen('sums', Added, async (batch) => heard.add(...batch.map(({ data }) => data.n)));
    await started(bus);
    await write(
      `${prefix}sum.added`,
      { key: 'k', value: '{}', headers: header('Added') },
      { key: 'k', value: '{}', headers: header('Else') },
      { key: 'k', value: '{}' },
    );
    await bus.tell(Added, { n: 7 });
    expect(await heard.first(1)).toEqual([7]);
    await settled(prefix);
    const letters = await deadLetters(prefix).list('sums');
    expect(letters.map(({ message }) => message).toSorted()).toEqual(['', 'Added']);
  });
});

describeWithKafka('a dead letter', () => {
  test('comes back to its group alone, with the same id and nobody waiting, once', async () => {
    const prefix = freshPrefix();
    let broken = true;
    const ids: Record<string, string[]> = { one: [], two: [] };
    const heard = collector<string>();
    const bus = member(brokers, prefix);
    for (const group of ['one', 'two'])
      bus.listen(group, Added, async (batch) => {
        if (broken && group === 'one') throw new Error('broken');
        ids[group]!.push(...batch.map(({ context }) => context.id));
        heard.add(group);
      });
    await started(bus);
    const id = randomUUID();
    await bus.tell(Added, { n: 1 }, { id });
    await settled(prefix);
    const box = deadLetters(prefix);
    expect(await box.groups()).toEqual(['one', 'two']);
    expect(await box.list('one')).toMatchObject([{ messageId: id, reason: 'Error: broken', replayed: false }]);
    // A replay that fails leaves one letter, which may be replayed again.
    await box.replay('one');
    await settled(prefix);
    expect(await box.list('one')).toMatchObject([{ messageId: id, reason: 'Error: broken', replayed: false }]);
    broken = false;
    expect(await box.replay('one')).toEqual({ replayed: 1, running: 0 });
    await settled(prefix);
    expect(ids).toEqual({ one: [id], two: [id] });
    expect(await box.list('one')).toMatchObject([{ messageId: id, replayed: true }]);
    expect(await box.replay('one')).toEqual({ replayed: 0, running: 0 });
    // A replay that names the place sends the letter once more.
    const [letter] = await box.list('one');
    expect(await box.replay('one', [letter!.place])).toEqual({ replayed: 1, running: 0 });
    await settled(prefix);
    expect(ids.one).toEqual([id, id]);
  });

  test('is dropped, and stays dropped until somebody replays it and it fails again', async () => {
    const prefix = freshPrefix();
    const bus = member(brokers, prefix);
    bus.listen('sums', Added, async () => {
      throw new Error('never');
    });
    await started(bus);
    // One key, hence one partition: the letters have an order.
    for (const n of [1, 2, 3]) await bus.tell(Added, { key: 'a', n });
    await settled(prefix);
    const box = deadLetters(prefix);
    const places = (await box.list('sums')).map(({ place }) => place);
    const dropped = async () => (await box.list('sums')).filter((one) => one.dropped).map(({ place }) => place);
    expect((await box.drop('sums', [places[1]!])).map(({ place }) => place)).toEqual([places[1]]);
    expect(await box.drop('sums', [places[1]!])).toEqual([]);
    expect(await dropped()).toEqual([places[1]]);
    expect((await box.drop('sums')).map(({ place }) => place)).toEqual([places[0], places[2]]);
    expect(await box.drop('sums')).toEqual([]);
    // The marks are no letters.
    expect((await box.list('sums')).map(({ place }) => place)).toEqual(places);
    expect(await dropped()).toEqual(places);
    expect(await box.replay('sums')).toEqual({ replayed: 0, running: 0 });
    await box.replay('sums', [places[0]!]);
    await settled(prefix);
    const again = await box.list('sums');
    expect(again.map((one) => one.dropped)).toEqual([true, true, false]);
    expect(again.map(({ place }) => place)).not.toContain(places[0]);
  });
});

describeWithKafka('a partition whose database is away', () => {
  test('rests while the others go on, loses nothing and gives nothing up', async () => {
    const prefix = freshPrefix();
    let isAway = true;
    const taken = collector<string>();
    const bus = member(brokers, prefix);
    bus.listen('sums', Added, async (batch) => {
      if (isAway && batch.some(({ data }) => data.key === 'a')) throw away();
      taken.add(...batch.map(({ data }) => `${data.key}${data.n}`));
    });
    await started(bus);
    // The keys 'a' and 'b' belong to different partitions.
    expect(partitionOf('a', 3)).not.toBe(partitionOf('b', 3));
    for (const n of [1, 2, 3]) await bus.tell(Added, { key: 'a', n });
    await bus.tell(Added, { key: 'b', n: 1 });
    expect(await taken.first(1)).toEqual(['b1']);
    await expect
      .poll(() => bus.health().receivers[0], { timeout: 20_000 })
      .toMatchObject({ retrying: true, deadLetters: 0 });
    // By now the messages of the partition were handed back and fetched again. The other partition still goes on.
    await bus.tell(Added, { key: 'b', n: 2 });
    await taken.first(2);
    await expect
      .poll(async () => (await bus.lag()).find(({ topic }) => topic === 'sum.added'))
      .toMatchObject({ messages: 3 });
    isAway = false;
    expect((await taken.first(5)).slice(2)).toEqual(['a1', 'a2', 'a3']);
    await settled(prefix);
    expect(await deadLetters(prefix).list('sums')).toEqual([]);
  });
});

describeWithKafka('a member that ends', () => {
  test('by SIGKILL between its work and its offset: the next does the same again, with the same id', async () => {
    const prefix = freshPrefix();
    const first = await startedWorker(prefix, 3_600_000);
    const asker = await started(member(brokers, prefix));
    const id = randomUUID();
    expect(await asker.ask(Add, { n: 1 }, { id })).toMatchObject({ ok: true, reply: { n: 1 } });
    await first.end('SIGKILL');
    const second = await startedWorker(prefix);
    expect(await second.given.first(1)).toEqual([id]);
  });

  test('by SIGKILL under load: its work is taken over within 10 s, and everything is done', async () => {
    const prefix = freshPrefix();
    const [first, second] = await Promise.all([startedWorker(prefix), startedWorker(prefix)]);
    const asker = await started(member(brokers, prefix));
    const heard = new Set<string>();
    const listener = member(brokers, prefix);
    listener.listen('heard', Added, async (batch) => {
      for (const { data } of batch) heard.add(`${data.key}${data.n}`);
    });
    await started(listener);
    const everywhere = async (n: number) => {
      const keys = Array.from({ length: 12 }, (_, i) => `k${i}`);
      return Promise.all(keys.map((key) => asker.ask(Add, { key, n })));
    };
    const before = await everywhere(1);
    expect(new Set(before.map((answer) => answer.ok && answer.reply.by)).size).toBe(2);
    await first.end('SIGKILL');
    const killed = Date.now();
    // A command is executed even when no caller waits that long.
    const keys = Array.from({ length: 12 }, (_, i) => `k${i}`);
    const after = await Promise.all(keys.map((key) => asker.ask(Add, { key, n: 2 }, { timeoutMs: 20_000 })));
    expect(after.every((answer) => answer.ok && answer.reply.by === `${second.child.pid}`)).toBe(true);
    expect(Date.now() - killed).toBeLessThan(10_000);
    await settled(prefix);
    expect([...heard].filter((one) => one.endsWith('2'))).toHaveLength(12);
  });

  test('by SIGTERM under load: nothing that was asked is refused or lost', async () => {
    const prefix = freshPrefix();
    const [first] = await Promise.all([startedWorker(prefix), startedWorker(prefix)]);
    const asker = await started(member(brokers, prefix));
    let ending = false;
    let ended = false;
    let n = 0;
    const answers: unknown[] = [];
    const load = async (key: string) => {
      while (!ended || n < 300) {
        answers.push(await asker.ask(Add, { key, n: n++ }));
        if (n > 100 && !ending) {
          ending = true;
          void first.end('SIGTERM').then(() => {
            ended = true;
          });
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, i) => load(`k${i}`)));
    expect(answers.every((answer) => (answer as { ok: boolean }).ok)).toBe(true);
  });
});

describeWithKafka('a handler that hangs', () => {
  test('is fatal: somebody else must do its work', async () => {
    const prefix = freshPrefix();
    const fatal = Promise.withResolvers<Error>();
    const shut = gate();
    const bus = member(brokers, prefix, { stuckMs: 200, onFatal: fatal.resolve });
    bus.answer(
      Add,
      each(async ({ n }) => {
        await shut.opened;
        return { reply: { n, by: 'us' } };
      }),
    );
    await started(bus);
    expect(await errorOf(bus.ask(Add, { n: 1 }, { timeoutMs: 100 }))).toHaveProperty('name', 'NoAnswer');
    expect((await fatal.promise).message).toContain('sums.commands');
    shut.open();
  });
});
