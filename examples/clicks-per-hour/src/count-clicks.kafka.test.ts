// Tests on a real broker and PostgreSQL that the counts are exact when messages are redelivered, when a program ends in
// the middle, and when partitions move to another member.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { describeWithKafka } from '@landfall/testkit';
import { type Admin, Kafka, logLevel, type Message, type Producer } from 'kafkajs';
import { Pool } from 'pg';
import { afterAll, beforeAll, createExpect, type ExpectStatic, inject, test } from 'vitest';
import { type Counting, countClicks } from './count-clicks.ts';
import { recordBatch } from './record-batch.ts';
import { forgetIds, makeTables } from './tables.ts';

interface Tap {
  id: string;
  linkId: string;
  time: string;
}

const PARTITIONS = 3;
const links = Array.from({ length: 5 }, () => randomUUID());
let taps = 0;
/** Returns a tap. The taps use five links in turn, and every second tap is one hour later. */
const aTap = (n = taps++): Tap => ({
  id: randomUUID(),
  linkId: links[n % links.length]!,
  time: new Date(Date.UTC(2026, 10, 21, 12 + (n % 2), 59, 59, 999)).toISOString(),
});
const someTaps = (count: number): Tap[] => Array.from({ length: count }, () => aTap());
const record = ({ id, linkId, time }: Tap, partition?: number): Message => ({
  key: linkId,
  headers: { ce_specversion: '1.0', ce_id: id, ce_type: 'LinkClicked', ce_time: time },
  value: JSON.stringify({ linkId, later: 'an unknown field' }),
  ...(partition !== undefined && { partition }),
});

/** Returns the expected rows, in the form that `counts` returns. */
function exactly(told: readonly Tap[]): Record<string, number> {
  const wanted: Record<string, number> = {};
  for (const { linkId, time } of new Map(told.map((tap) => [tap.id, tap])).values()) {
    const cell = `${linkId} ${time.slice(0, 13)}`;
    wanted[cell] = (wanted[cell] ?? 0) + 1;
  }
  return wanted;
}

describeWithKafka('clicks per hour', (brokers) => {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
  const producer: Producer = kafka.producer({ idempotent: true });
  const admin: Admin = kafka.admin();
  beforeAll(async () => {
    await Promise.all([producer.connect(), admin.connect()]);
  });
  afterAll(async () => {
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  });

  /**
   * Creates a topic, a database and the functions to run programs for one test. Tests run side by side, because they
   * wait for sessions to end.
   */
  async function begin(expect: ExpectStatic) {
    const topic = `clicks-${randomUUID()}`;
    const said: string[] = [];
    const running: Counting[] = [];
    const children: ChildProcess[] = [];
    const database: TestDatabase = await createTestDatabase(inject('databaseServerUrl'));
    const pool = new Pool({ connectionString: database.url, max: 12 });
    // `end` resolves before the connections are closed, and dropping the database ends those that are left. The client and the
    // pool both say so.
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', () => {});
    await makeTables(pool);
    await admin.createTopics({
      waitForLeaders: true,
      topics: [{ topic, numPartitions: PARTITIONS, replicationFactor: 1 }],
    });
    const tell = (told: readonly Tap[], partition?: number) =>
      producer.send({ topic, messages: told.map((tap) => record(tap, partition)) });
    const settings = () => ({ brokers: [...brokers], topic, group: topic, pool, keepDays: 15 });

    async function start(): Promise<Counting> {
      const counting = await countClicks({ ...settings(), say: (line) => void said.push(line) });
      running.push(counting);
      return counting;
    }
    async function stop(counting: Counting): Promise<void> {
      running.splice(running.indexOf(counting), 1);
      await counting.stop();
    }

    /** Starts the program as a user starts it. Resolves when the program has joined the group. */
    async function startProgram(): Promise<ChildProcess> {
      const env = {
        ...process.env,
        DATABASE_URL: database.url,
        KAFKA_BROKERS: brokers.join(),
        TOPIC: topic,
        GROUP: topic,
      };
      const child = spawn(process.execPath, [`${import.meta.dirname}/main.ts`], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      await new Promise<void>((resolve, reject) => {
        createInterface({ input: child.stdout! }).on('line', (line) => line.includes(' has ') && resolve());
        child.once('exit', () => reject(new Error('the program ended')));
      });
      return child;
    }
    const kill = (child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL') =>
      new Promise<number | null>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
        child.once('exit', resolve);
        child.kill(signal);
      });

    async function counts(): Promise<Record<string, number>> {
      const { rows } = await pool.query(
        `select link_id || ' ' || to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as cell, clicks::int from clicks_per_hour`,
      );
      return Object.fromEntries(rows.map(({ cell, clicks }) => [cell, clicks]));
    }
    /** Returns the next offsets, by partition. */
    async function stored(): Promise<string[]> {
      const { rows } = await pool.query('select "partition", next_offset from clicks_offsets');
      const offsets = new Map(rows.map((row) => [row.partition, row.next_offset]));
      return Array.from({ length: PARTITIONS }, (_, partition) => offsets.get(partition) ?? '0');
    }
    async function ends(): Promise<string[]> {
      const offsets = await admin.fetchTopicOffsets(topic);
      return offsets.toSorted((a, b) => a.partition - b.partition).map(({ high }) => high);
    }
    const wait = { timeout: 30_000, interval: 20 };
    /** Waits until every record in the topic has been counted. */
    const allCounted = async () => expect.poll(stored, wait).toEqual(await ends());
    const read = async () => (await stored()).reduce((sum, offset) => sum + Number(offset), 0);
    const readAtLeast = (offsets: number) => expect.poll(read, wait).toBeGreaterThanOrEqual(offsets);
    /** Locks a table against writes until `release` is called. */
    async function lockTable(name: string): Promise<{ release(): Promise<void> }> {
      const client = await pool.connect();
      await client.query(`begin; lock table ${name} in share mode`);
      return { release: async () => client.query('rollback').then(() => client.release()) };
    }
    /** Returns the number of transactions that wait for a lock. */
    async function waiting(): Promise<number | null> {
      const sql = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await pool.query(sql)).rowCount;
    }
    const saidBy = (text: string) => said.filter((line) => line.includes(text));
    /** Ends the programs of the test and drops its database. */
    async function close(): Promise<void> {
      await Promise.all(children.splice(0).map((child) => kill(child)));
      await Promise.all(running.splice(0).map((counting) => counting.stop()));
      await pool.end();
      await database.drop();
    }
    return {
      topic,
      pool,
      tell,
      start,
      stop,
      startProgram,
      kill,
      counts,
      stored,
      ends,
      wait,
      allCounted,
      read,
      readAtLeast,
      lockTable,
      waiting,
      saidBy,
      close,
    };
  }

  const it = test.extend<{ clicks: Awaited<ReturnType<typeof begin>> }>({
    clicks: async ({ task }, use) => {
      const clicks = await begin(createExpect(task));
      await use(clicks);
      await clicks.close();
    },
  });

  it.concurrent('are the same however often a click is told, and pass over what is no click', async ({
    clicks,
    expect,
  }) => {
    const { topic, tell, start, counts, allCounted, saidBy } = clicks;
    const told = someTaps(50);
    await start();
    await tell([...told, ...told.slice(0, 20)]);
    await producer.send({
      topic,
      messages: [
        { key: links[0]!, value: 'no click' },
        { key: null, value: null },
      ],
    });
    await allCounted();
    await tell(told.toReversed());
    // The same result as after new partitions: the same key goes to another partition.
    for (const partition of [0, 1, 2]) await tell(told, partition);
    await allCounted();
    expect(await counts()).toEqual(exactly(told));
    expect(saidBy('is no click: passed over')).toHaveLength(2);
  });

  it.concurrent.for(['behind', 'ahead of'])(
    'go on from the table when the group’s offsets are %s it',
    async (where, { clicks, expect }) => {
      const { topic, pool, tell, start, stop, counts, ends, allCounted } = clicks;
      const told = someTaps(60);
      await tell(told.slice(0, 30));
      const first = await start();
      await allCounted();
      await stop(first);
      await tell(told.slice(30));
      const partitions = (await ends()).map((end, partition) => ({
        partition,
        offset: where === 'behind' ? '0' : end,
      }));
      await admin.setOffsets({ groupId: topic, topic, partitions });
      // With remembered ids the test could not show at which offset the reading began.
      await pool.query('truncate clicks_seen');
      await start();
      await allCounted();
      expect(await counts()).toEqual(exactly(told));
    },
  );

  it.concurrent('are made anew from the beginning where the tables were emptied, and unchanged by a replay', async ({
    clicks,
    expect,
  }) => {
    const { pool, tell, start, stop, counts, allCounted } = clicks;
    const told = someTaps(40);
    await tell(told);
    const first = await start();
    await allCounted();
    await stop(first);
    await pool.query('truncate clicks_per_hour, clicks_seen, clicks_offsets');
    const second = await start();
    await allCounted();
    await stop(second);
    expect(await counts()).toEqual(exactly(told));

    await pool.query('update clicks_offsets set next_offset = 0');
    await start();
    await allCounted();
    expect(await counts()).toEqual(exactly(told));
  });

  it.concurrent('lose nothing and double nothing when the program is killed in a transaction', async ({
    clicks,
    expect,
  }) => {
    const { tell, startProgram, kill, counts, wait, allCounted, read, readAtLeast, lockTable, waiting } = clicks;
    const told = someTaps(90);
    await tell(told.slice(0, 30));
    const killed = await startProgram();
    await readAtLeast(30);
    // The program has added its ids and waits to write the counts.
    const other = await lockTable('clicks_per_hour');
    await tell(told.slice(30, 60));
    await expect.poll(waiting, wait).toBeGreaterThan(0);
    await kill(killed);
    await other.release();
    expect(await read()).toBe(30);

    await startProgram();
    await tell(told.slice(60));
    await allCounted();
    expect(await counts()).toEqual(exactly(told));
  });

  it.concurrent('go on without a member that froze in a transaction, and with it when it wakes', {
    timeout: 120_000,
  }, async ({ clicks, expect }) => {
    const { tell, start, startProgram, counts, stored, ends, wait, allCounted, lockTable, waiting } = clicks;
    const told = someTaps(60);
    const frozen = await startProgram();
    const other = await lockTable('clicks_seen');
    await tell(told.slice(0, 30));
    await expect.poll(waiting, wait).toBeGreaterThan(0);
    frozen.kill('SIGSTOP');
    await other.release();
    await start();
    // The group assigns its partitions to another member, and PostgreSQL ends its transaction.
    await expect.poll(stored, { timeout: 60_000 }).toEqual(await ends());
    frozen.kill('SIGCONT');
    await tell(told.slice(30));
    await allCounted();
    expect(await counts()).toEqual(exactly(told));
  });

  it.concurrent('are exact while members come, leave and are killed, and everything is told twice', {
    timeout: 180_000,
  }, async ({ clicks, expect }) => {
    const { tell, start, stop, startProgram, kill, counts, stored, ends, readAtLeast } = clicks;
    const told = someTaps(4_000);
    let telling = true;
    const toldTwice = (async () => {
      for (let i = 0; i < told.length && telling; i += 40) {
        await tell(told.slice(i, i + 40));
        await tell(told.slice(Math.max(0, i - 40), i + 40).toReversed());
      }
    })();
    try {
      const first = await startProgram();
      await readAtLeast(500);
      const second = await start();
      await readAtLeast(2_000);
      await kill(first);
      await readAtLeast(3_000);
      const third = await startProgram();
      await stop(second);
      await readAtLeast(6_000);
      // The program ends in order and finishes the batches that it has in hand.
      expect(await kill(third, 'SIGTERM')).toBe(0);
      await start();
      await startProgram();
      await toldTwice;
    } finally {
      telling = false;
    }
    await expect.poll(stored, { timeout: 60_000 }).toEqual(await ends());
    expect(await counts()).toEqual(exactly(told));
  });

  it.concurrent('count records once that several hold at once', async ({ clicks, expect }) => {
    const { topic, pool, counts, wait, read, lockTable, waiting } = clicks;
    const told = someTaps(100);
    const records = told.map(({ id, linkId, time }, i) => ({
      offset: BigInt(i),
      click: { id, linkId, hour: `${time.slice(0, 13)}:00:00Z` },
    }));
    const hold = (from: number, to: number) =>
      recordBatch(pool, { topic, partition: 0, records: records.slice(from, to) });
    await hold(0, 10);
    // No ids are remembered here, so only the offset can prevent double counting.
    await pool.query('truncate clicks_seen');
    const other = await lockTable('clicks_seen');
    const holding = Promise.all([hold(10, 60), hold(10, 60), hold(5, 40), hold(10, 30)]);
    await expect.poll(waiting, wait).toBe(4);
    await other.release();
    const held = await holding;
    expect(held.map(({ repeated }) => repeated)).toEqual([0, 0, 0, 0]);
    await hold(30, 100);
    expect(await read()).toBe(100);
    expect(await counts()).toEqual(exactly(told));
  });

  it.concurrent('do not jump over records: a batch that begins too late is not taken', async ({ clicks, expect }) => {
    const { topic, pool } = clicks;
    const [{ id, linkId, time }] = someTaps(1) as [Tap];
    const late = { topic, partition: 0, records: [{ offset: 7n, click: { id, linkId, hour: time } }] };
    expect(await recordBatch(pool, late)).toMatchObject({ next: 0n, counted: 0 });
    expect(await recordBatch(pool, { ...late, sought: 0n })).toMatchObject({ next: 8n, counted: 1, missed: 7n });
  });

  it.concurrent('go on behind records that were deleted before they were counted, and say how many', async ({
    clicks,
    expect,
  }) => {
    const { topic, tell, start, counts, ends, allCounted, saidBy } = clicks;
    const told = someTaps(30);
    await tell(told.slice(0, 20), 0);
    // The client deletes no records before it has loaded the metadata of the topic.
    expect(await ends()).toEqual(['20', '0', '0']);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '20' }] });
    await tell(told.slice(20), 0);
    await start();
    await allCounted();
    expect(await counts()).toEqual(exactly(told.slice(20)));
    expect(saidBy('deleted')).toEqual([`${topic}/0: 20 records were deleted before they were counted`]);
  });

  it.concurrent('end with a sentence where the topic was made anew', async ({ clicks, expect }) => {
    const { pool, tell, start, stop, allCounted } = clicks;
    await tell(someTaps(10), 0);
    const first = await start();
    await allCounted();
    await stop(first);
    await pool.query('update clicks_offsets set next_offset = 1000');
    const second = await start();
    await expect(second.ended).rejects.toThrow('it was made anew. Delete its row from clicks_offsets.');
  });

  it.concurrent('forget ids that are old enough', async ({ clicks, expect }) => {
    const { pool } = clicks;
    await pool.query(`insert into clicks_seen select gen_random_uuid(), now() - make_interval(days => day)
      from generate_series(1, 20) as day, generate_series(1, 3000)`);
    expect(await forgetIds(pool, 15)).toBe(5 * 3_000 + 3_000);
    expect((await pool.query('select from clicks_seen')).rowCount).toBe(14 * 3_000);
  });
});
