// The console as a process of its own: its tables, its HTTP server, and the job that deletes expired rows.
import { openDeadLetters, openInspection } from '@landfall/bus/kafka';
import { createServer } from '@landfall/http';
import { kafkaOptions, type Running } from '@landfall/runtime';
import { startRetention, type WorkerOptions, type WorkerParts } from '@landfall/worker';
import { type ConsoleProcessConfig, consoleProcessConfig, initOwnerOf } from './config.ts';
import { createConsole } from './console.ts';
import type { Passwords } from './passwords/passwords.ts';
import { deleteExpired } from './retention.ts';
import { consoleService } from './service.ts';
import { ensureFirstOwner } from './set-up/first-owner.ts';
import { keepOfferingSetUp } from './set-up/offer-set-up.ts';
import { storeOwnerToken } from './tokens/token-repository.ts';

/** For tests: another clock, and hashes that cost less. */
export interface ForTests {
  now?: () => number;
  passwords?: Passwords;
}

export function consoleWorker(env: NodeJS.ProcessEnv, forTests: ForTests = {}): WorkerOptions<ConsoleProcessConfig> {
  let start: (() => Promise<Running>) | undefined;
  return {
    service: 'console',
    env,
    config: consoleProcessConfig,
    register(parts) {
      const { bus, database } = parts;
      consoleService({ bus, database });
      // Its caches watch events, and the bus must know before its start.
      start = httpOf(parts, forTests);
    },
    async prepare({ database, config, log }) {
      const owner = initOwnerOf(config);
      if (owner) await ensureFirstOwner(database, owner, new Date());
      if (config.OWNER_TOKEN) await storeOwnerToken(database, config.OWNER_TOKEN, new Date());
      return startRetention((now) => deleteExpired(database, now, config), log);
    },
    go: () => start!(),
  };
}

/** Makes the HTTP server of the console. Returns its start, which resolves when the server answers. */
function httpOf(
  { bus, database, config, log, metrics, health, tracing }: WorkerParts<ConsoleProcessConfig>,
  { now, passwords }: ForTests,
): () => Promise<Running> {
  const { connection, prefix, instance } = kafkaOptions(config);
  // It sends nothing to the brokers before somebody looks at dead letters.
  const deadLetters = openDeadLetters(connection, log, prefix);
  async function groups() {
    // A connection of its own each time: an inspection retries nothing.
    const inspection = openInspection(connection, log, prefix);
    try {
      return await inspection.groups();
    } finally {
      await inspection.close();
    }
  }
  const shared = { config, instance, log, health, metrics, tracing, now };
  const server = createServer({ name: 'http', ...shared, metricsServed: true });
  const part = createConsole(server.parts, { config, bus, database, rules: config, passwords, deadLetters, groups });

  return async () => {
    const port = await server.start([part]);
    log.info({ port }, 'serves HTTP');
    // The set-up code goes to the terminal of the operator. It is never logged.
    const say = (lines: string) => void process.stderr.write(`${lines}\n`);
    const { PUBLIC_URL: publicUrl, WEB_APP_DIR } = config;
    const offering = keepOfferingSetUp(database, { publicUrl, hasPages: WEB_APP_DIR !== undefined }, log, say, now);
    return {
      async stop() {
        offering.stop();
        await server.stop();
        await deadLetters.close();
      },
    };
  };
}
