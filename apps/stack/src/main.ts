// The program of `npm run stack`.
import path from 'node:path';
import { createKafkaBus } from '@landfall/bus/kafka';
import { builtPages, packClients } from '@landfall/dashboard/build';
import { connect } from '@landfall/db';
import {
  createLogger,
  KafkaConfig,
  kafkaOptions,
  type Running,
  readConfig,
  run,
  startInOrder,
} from '@landfall/runtime';
import { type Demo, ensureDemo, takeFolder, tellWhileRunning, welcome } from '@landfall/standalone';
import { processesOf, StackConfig } from './config.ts';
import { logWriter } from './log-lines.ts';
import { assertInstalled, type Given } from './servers.ts';
import { type Stack, serviceNames, startStack } from './stack.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

await run(async () => {
  const { stop } = await startInOrder(start);
  return {
    async stop() {
      say('Stopping …');
      await stop();
    },
  };
});

/** Adds each part that must be stopped to `started`, in order. */
async function start(started: Running[]): Promise<void> {
  const config = readConfig(StackConfig, process.env);
  const processes = processesOf(process.argv.slice(2));
  assertInstalled(given(config));
  const folder = path.join(config.LANDFALL_DATA, 'stack');
  started.push(takeFolder(folder));

  say('Starting PostgreSQL, Kafka, Redis and the services: half a minute the first time …');
  const names = serviceNames.flatMap((service) =>
    Array.from({ length: processes[service] }, (_, i) => `${service}-${i + 1}`),
  );
  const stack = await startStack({
    ...given(config),
    dir: folder,
    lasting: true,
    prefix: config.KAFKA_PREFIX,
    processes,
    port: config.PORT,
    env: { WEB_APP_DIR: await webAppFolder(), ...process.env },
    onLine: logWriter((text) => void process.stdout.write(text), names, process.stdout.isTTY && !process.env.NO_COLOR),
  });
  started.push(stack);

  // The URL goes into a file, because its password must not appear on a terminal.
  started.push(tellWhileRunning(folder, 'database-url', stack.databaseUrl));
  started.push(tellWhileRunning(folder, 'running.json', JSON.stringify(runningOf(stack, config.KAFKA_PREFIX))));
  const more = [
    ['Gateways', urlsOf(stack.ports).join('  ')],
    ['Consoles', urlsOf(stack.consolePorts).join('  ')],
    ['Services', names.filter((name) => !/^(?:gateway|console)-/.test(name)).join(', ')],
    ['Kafka', stack.brokers.join()],
    ['Redis', config.REDIS_URL ? 'the one of REDIS_URL' : stack.redisUrl],
    [
      'PostgreSQL',
      config.DATABASE_URL ? 'the one of DATABASE_URL' : `psql "$(cat ${path.join(folder, 'database-url')})"`,
    ],
  ] as const;
  const { publicUrl, linkDomain } = stack;
  say(welcome({ publicUrl, linkDomain, folder, demo: await demoOn(stack, folder), more }));
}

/** Builds the web app, when its sources have changed. Without it the consoles serve the API alone. The clients follow. */
async function webAppFolder(): Promise<string | undefined> {
  if (process.env.WEB_APP_DIR) return undefined;
  try {
    const folder = await builtPages();
    packClients(folder).catch((error: Error) => say(`The clients could not be packed: ${error.message}`));
    return folder;
  } catch (error) {
    say(`The web app could not be built: ${(error as Error).message}`);
    return undefined;
  }
}

function given({ DATABASE_URL, KAFKA_BROKERS, REDIS_URL }: StackConfig): Given {
  return { databaseUrl: DATABASE_URL, brokers: KAFKA_BROKERS, redisUrl: REDIS_URL };
}

/** The file by which `landfall doctor` finds the stack. */
function runningOf({ brokers, redisUrl, publicUrl, linkDomain, ports, processes }: Stack, prefix: string) {
  return {
    brokers,
    prefix,
    redisUrl,
    publicUrl,
    linkDomain,
    gateways: urlsOf(ports),
    processes: processes
      .filter(({ name }) => !name.startsWith('gateway-'))
      .map(({ name, metricsPort }) => ({ name, url: `http://127.0.0.1:${metricsPort}` })),
  };
}

// A function, because the program above runs before a constant here has its value.
function urlsOf(ports: readonly number[]): string[] {
  return ports.map((port) => `http://localhost:${port}`);
}

/** Makes the demo app, and tells the services about it over Kafka. */
async function demoOn(stack: Stack, folder: string): Promise<Demo> {
  const log = createLogger({ service: 'stack', level: 'warn' });
  const bus = createKafkaBus({
    service: 'stack',
    ...kafkaOptions(readConfig(KafkaConfig, stack.env)),
    log,
    onFatal(error) {
      throw error;
    },
  });
  await bus.start();
  const database = connect({ url: stack.databaseUrl, max: 2 });
  try {
    return await ensureDemo({ database, bus, log }, folder);
  } finally {
    await database.close();
    await bus.stop();
  }
}
