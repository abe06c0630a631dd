// Runs every service as its own processes, over Kafka, with one PostgreSQL and one Redis.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@landfall/local';
import { StartError, unlessStopping } from '@landfall/runtime';
import { assertFree, keptFile, randomHex } from '@landfall/standalone';
import { isForConsole, type StackProxy, startProxy } from './proxy.ts';
import { type Given, startServers } from './servers.ts';
import { type StackProcess, serviceProcess } from './service-process.ts';

export const serviceNames = ['gateway', 'console', 'link', 'attribution', 'push', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The stack uses the servers that are given, and starts the others in `dir`. */
export interface StackOptions extends Given {
  /** The folder of data and secrets. Default: a temporary folder, which `stop` deletes. */
  dir?: string;
  /** The prefix of topics and groups. */
  prefix?: string;
  /** The number of processes of each service. Default: one. */
  processes?: Partial<Record<ServiceName, number>>;
  /** The port of the proxy. The gateways, then the consoles, use the next ports. By default, all use free ports. */
  port?: number;
  /** Additional variables for every process. */
  env?: NodeJS.ProcessEnv;
  nodeFlags?: readonly string[];
  /** Returns the file that runs a service, and its arguments. Default: the main.ts of the service. */
  program?(service: ServiceName): readonly string[];
  /** True when the stack runs for a long time: see {@link LocalKafkaOptions.lasting}. */
  lasting?: boolean;
  /** True when a process that dies is started again. Default: true. */
  restart?: boolean;
  /** Receives every line that a process writes, JSON or not, and a line for what the stack does with the process. */
  onLine?(name: string, line: string): void;
}

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Resolves when every process is ready. Throws a StartError when something is missing or does not start. */
export async function startStack(options: StackOptions = {}) {
  const { onLine = () => {}, prefix = '', restart = true, nodeFlags = [], program = mainOf } = options;
  const countOf = (service: ServiceName) => options.processes?.[service] ?? 1;
  const gateways = countOf('gateway');
  const needed = 1 + gateways + countOf('console');
  const all = options.port ? consecutive(options.port, needed) : await freePorts(needed);
  for (const port of all) await assertFree(port, taken(port));
  const [port = 0, ...others] = all;
  const ports = others.slice(0, gateways);
  const consolePorts = others.slice(gateways);
  const dir = path.resolve(options.dir ?? temporaryFolder());
  const onEnd = (reason: string) => unlessStopping(() => onLine('stack', reason));
  const servers = await startServers({ ...options, dir, onEnd });
  const host = `localhost:${port}`;
  const ownerToken = keptFile(dir, 'owner-token', () => `lf_${randomHex(16)}`);
  const env = {
    PUBLIC_URL: `http://${host}`,
    LINK_DOMAIN: host,
    ...(options.env?.HASH_SECRET_FILE ? {} : { HASH_SECRET: keptFile(dir, 'hash-secret', () => randomHex(32)) }),
    ...(options.env?.SEAL_SECRET_FILE ? {} : { SEAL_SECRET: keptFile(dir, 'seal-secret', () => randomHex(32)) }),
    ...options.env,
    KAFKA_BROKERS: servers.brokers.join(),
    KAFKA_PREFIX: prefix,
  };
  const { databaseUrl, redisUrl } = servers;
  const ofWorkers = { DATABASE_URL: databaseUrl };
  const own: Partial<Record<ServiceName, NodeJS.ProcessEnv>> = {
    gateway: { REDIS_URL: redisUrl },
    console: { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, OWNER_TOKEN: ownerToken },
  };

  const metricsPorts = await freePorts(serviceNames.reduce((sum, service) => sum + countOf(service), 0));
  const make = (service: ServiceName, itsPorts: readonly number[] = []): StackProcess[] =>
    Array.from({ length: countOf(service) }, (_, i) => {
      const name = `${service}-${i + 1}`;
      return serviceProcess({
        name,
        program: program(service),
        port: itsPorts[i],
        metricsPort: metricsPorts.pop()!,
        env: { ...env, ...(own[service] ?? ofWorkers), INSTANCE_ID: name },
        nodeFlags,
        restart,
        onLine,
      });
    });
  const workers = [...make('link'), ...make('attribution'), ...make('push'), ...make('analytics')];
  const doors = [...make('gateway', ports), ...make('console', consolePorts)];
  const processes = [...doors, ...workers];

  let proxy: StackProxy | undefined;
  /** Stops the gateways and the consoles first, so that open requests are answered. */
  const stop = async () => {
    proxy?.close();
    // A signal may have reached the processes, too. They must not start again.
    for (const process of processes) process.leave();
    await Promise.all(doors.map((door) => door.term()));
    await proxy?.stop();
    await Promise.all(workers.map((worker) => worker.term()));
    await servers.stop();
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  };
  try {
    await Promise.all(processes.map((process) => process.start()));
    proxy = await startProxy({ port, isForConsole: isForConsole(env), gateways: ports, consoles: consolePorts });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...servers,
    /** Of the proxy, which leads to all of it. */
    port,
    /** Of the gateways. */
    ports,
    consolePorts,
    publicUrl: env.PUBLIC_URL,
    linkDomain: env.LINK_DOMAIN,
    ownerToken,
    env: env as NodeJS.ProcessEnv,
    processes,
    process(name: string): StackProcess {
      const found = processes.find((process) => process.name === name);
      if (!found) throw new Error(`There is no ${name}: there are ${processes.map((p) => p.name).join(', ')}.`);
      return found;
    },
    stop,
  };
}

const mainOf = (service: ServiceName): string[] => [
  path.resolve(import.meta.dirname, '../../../services', service, 'src/main.ts'),
];

/** When we run as root, PostgreSQL runs as another user, and that user needs access to the folder. */
function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-stack-'));
  chmodSync(folder, 0o755);
  return folder;
}

const consecutive = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

const taken = (port: number) =>
  new StartError(
    `Port ${port} is taken: stop the program that uses it, or set PORT to the first of as many free ones as there are gateways and consoles, and one more.`,
  );
