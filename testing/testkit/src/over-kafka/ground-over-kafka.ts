// Runs the test files one after the other on the processes of the run. A system with its own settings also has its own
// gateway. Requests go where a proxy sends them: to the console, or to the gateways in turn.
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@landfall/bus';
import { createKafkaBus } from '@landfall/bus/kafka';
import { openSettling } from '@landfall/bus/settled';
import { connect } from '@landfall/db';
import { assertTestDatabase } from '@landfall/db/testing';
import { freePorts } from '@landfall/local';
import { KafkaConfig, kafkaOptions, readConfig } from '@landfall/runtime';
import { isForConsole, serviceProcess } from '@landfall/stack';
import { inject } from 'vitest';
import { takeAddresses } from '../addresses.ts';
import type { Clock } from '../clock.ts';
import { testLogger } from '../logger.ts';
import type { Ground } from '../system/ground.ts';
import { seenBy, tellingBy } from './noted-messages.ts';
import { openTopics } from './read-topics.ts';
import { noteSecret, noteSecrets } from './secrets-said.ts';
import { program, type StackOfRun } from './setup.ts';
import { writeClock } from './shared-clock.ts';

/** The number of systems of this file that have not stopped. */
let running = 0;

export async function groundOverKafka(env: Record<string, string>): Promise<Ground> {
  const missing = inject('noKafka') || inject('noRedis');
  if (missing) throw new Error(missing);
  const isFirst = running++ === 0;
  try {
    const ground = await start(env, isFirst);
    return { ...ground, stop: () => ground.stop().finally(() => running--) };
  } catch (error) {
    running--;
    throw error;
  }
}

async function start(env: Record<string, string>, isFirst: boolean): Promise<Ground> {
  const stack = inject('stack');
  const { brokers, prefix } = stack;
  const settling = openSettling({ brokers }, testLogger(), prefix);
  const ahead = Date.parse(BEGINS) - Date.now();
  if (isFirst) {
    // The file before this one may have left work, which would be in the way of emptying the tables, and may have let
    // time pass.
    await settling.settled();
    writeClock(stack.clockFile, ahead);
    takeAddresses(nextBlock(stack.folder));
    await empty(stack.databaseUrl);
  }
  const own = Object.keys(env).length > 0 ? await startGateway(stack, env, ahead) : undefined;
  const clock = sharedClock(own?.clockFile ?? stack.clockFile, ahead);
  const bus = await startBus(stack, clock);
  const topics = openTopics(brokers, prefix);
  const watchedBy = (name: string) => [...seenBy(stack.folder, name).keys()];
  /** The processes that clients speak to. */
  const doors = [...(own ? [own.name] : stack.gateways), stack.console];
  // A process does not get events from before its start.
  const missed = own ? await topics.countAll(watchedBy(own.name)) : new Map<string, number>();

  /**
   * Waits until the doors have seen all events that they watch. Watched events have no offsets of a consumer group, so
   * each process writes down what it has seen.
   */
  async function untilSeen(): Promise<void> {
    const until = Date.now() + SEEN_WITHIN_MS;
    const told = await topics.countAll([...new Set(doors.flatMap(watchedBy))]);
    for (const door of doors) {
      for (const topic of watchedBy(door)) {
        const wanted = told.get(topic)! - (door === own?.name ? (missed.get(topic) ?? 0) : 0);
        for (let seen = -1; seen < wanted; ) {
          seen = seenBy(stack.folder, door).get(topic) ?? 0;
          if (seen < wanted && Date.now() > until)
            throw new Error(`${door} has seen ${seen} of ${wanted} messages in ${topic}.`);
          if (seen < wanted) await sleep(LOOK_MS);
        }
      }
    }
  }

  /** Waits until the events that the doors publish without waiting are durable. */
  async function untilTold(): Promise<void> {
    const until = Date.now() + SEEN_WITHIN_MS;
    for (const door of doors) {
      while (tellingBy(stack.folder, door) > 0) {
        if (Date.now() > until) throw new Error(`${door} tells an event that does not become durable.`);
        await sleep(LOOK_MS);
      }
    }
  }

  async function settled(): Promise<void> {
    await untilTold();
    await settling.settled();
    await untilSeen();
  }

  const forConsole = isForConsole({ ...stack.env, ...env });
  const ports = own ? [own.port] : stack.ports;
  let requests = 0;
  return {
    bus,
    clock,
    databaseUrl: stack.databaseUrl,
    port: ports[0]!,
    consolePort: stack.consolePort,
    portFor: ({ path, headers }) =>
      forConsole(path, headers?.host) ? stack.consolePort : ports[requests++ % ports.length]!,
    sending(sent) {
      clock.show();
      noteSecrets(stack.folder, sent);
    },
    said: (what, text) => noteSecret(stack.folder, what, text),
    settled,
    async stop() {
      await settled();
      await Promise.all([bus.stop(), settling.close(), topics.close(), own?.stop()]);
    },
  };
}

const SEEN_WITHIN_MS = 10_000;
const LOOK_MS = 5;
const EMPTY_WITHIN_MS = 10_000;
/** PostgreSQL's code for a lock that somebody else has. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The time at which the clock of each system starts. */
const BEGINS = '2026-11-15T12:00:00.000Z';

/**
 * Returns the machine's clock plus the time that a test adds. Processes see the added time after `show`.
 * @param ahead milliseconds by which the clock is ahead of the machine's clock at the start
 */
function sharedClock(file: string, ahead: number): Clock & { show(): void } {
  const show = () => writeClock(file, ahead);
  show();
  return Object.assign(() => Date.now() + ahead, {
    show,
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Parameters<Clock['advance']>[0]) {
      ahead += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
      show();
    },
  });
}

async function startBus({ env }: StackOfRun, clock: Clock): Promise<Bus> {
  const bus = createKafkaBus({
    service: 'test',
    ...kafkaOptions(readConfig(KafkaConfig, { ...env, INSTANCE_ID: `test-${randomBytes(4).toString('hex')}` })),
    log: testLogger(),
    clock,
    onFatal(error) {
      throw error;
    },
  });
  await bus.start();
  return bus;
}

async function startGateway(
  { env, redisUrl, folder, logFile }: StackOfRun,
  more: Record<string, string>,
  ahead: number,
) {
  const name = `gateway-${randomBytes(4).toString('hex')}`;
  const clockFile = path.join(folder, `${name}.clock`);
  // The gateway has the test's time from its start. Otherwise the messages that it sends early would have a later time
  // than the test.
  writeClock(clockFile, ahead);
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const gateway = serviceProcess({
    name,
    program: program('gateway'),
    port,
    metricsPort,
    env: { ...env, REDIS_URL: redisUrl, ...more, TEST_CLOCK: clockFile, INSTANCE_ID: name },
    nodeFlags: [],
    restart: false,
    onLine: (_, line) => appendFileSync(logFile, `${line}\n`),
  });
  await gateway.start();
  return { name, port, clockFile, stop: () => gateway.term() };
}

/** Returns the next address block. The files run one after the other, and each file takes the next block. */
function nextBlock(folder: string): number {
  const file = path.join(folder, 'blocks');
  const block = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  writeFileSync(file, String(block + 1));
  return block;
}

/**
 * Empties the database. Each file starts with an empty database, as it does in a single process. The services look for
 * work at any time (the console for due reports every two seconds), and read several tables at once. So this never waits
 * for a table while it holds others, which would be a deadlock: it lets all go and begins again.
 */
async function empty(databaseUrl: string): Promise<void> {
  const database = connect({ url: databaseUrl, max: 1 });
  try {
    await assertTestDatabase(database);
    const tables = await database.rows<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('account', 'link', 'attribution', 'push', 'analytics')`,
    );
    const all = tables.map(({ name }) => name).join();
    for (const until = Date.now() + EMPTY_WITHIN_MS; ; ) {
      try {
        return await database.transaction(async (tx) => {
          await tx.rows(`lock table ${all} in access exclusive mode nowait`);
          await tx.rows(`truncate ${all}`);
        });
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || Date.now() > until) throw error;
        await sleep(LOOK_MS);
      }
    }
  } finally {
    await database.close();
  }
}
