// Apache Kafka on this machine, without Docker: one broker, or a cluster of three.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithUs } from './end-with-us.ts';
import { freePorts } from './free-ports.ts';
import { kafkaJars } from './kafka-jars.ts';

export interface LocalKafkaOptions {
  /**
   * The number of brokers, 1 when left out. Three keep three copies of their own topics, and go on without one of them.
   */
  brokers?: 1 | 3;
  /** The port of each; free ones when left out. */
  ports?: readonly number[];
  /** The folder of the data. Without it, a temporary folder, which `stop` deletes. */
  dir?: string;
  /** It runs for long: takes more of the machine in its first minute, and a third less from then on. */
  lasting?: boolean;
}

/** The i-th broker is meant where there is an `i`, the first when it is left out. */
export interface LocalKafka {
  /** `127.0.0.1:port` of each. */
  readonly brokers: string[];
  /** Undefined while it is down. */
  pid(i?: number): number | undefined;
  stop(): Promise<void>;
  /** Ends it as a power cut of its process would. */
  kill(i?: number): Promise<void>;
  /** Starts it again, on the same data and port. Resolves when it serves. */
  restart(i?: number): Promise<void>;
  /** It holds its connections and answers nothing. */
  freeze(i?: number): void;
  thaw(i?: number): void;
}

interface Node {
  id: number;
  port: number;
  controllerPort: number;
  folder: string;
}

const START_MS = 60_000;
const STOP_MS = 10_000;

/** About 4 s for one broker, with 230 MB of memory each. Throws when it does not start. */
export async function startKafka(options: LocalKafkaOptions = {}): Promise<LocalKafka> {
  const count = options.brokers ?? 1;
  const dir = path.resolve(options.dir ?? mkdtempSync(path.join(tmpdir(), 'landfall-kafka-')));
  const classPath = await kafkaJars();
  const compiler = options.lasting ? [] : QUICK;
  const free = await freePorts(2 * count);
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    port: options.ports?.[i] ?? free[i]!,
    controllerPort: free[count + i]!,
    folder: path.join(dir, String(i + 1)),
  }));
  const running = new Map<number, ChildProcess>();
  const start = async (i: number) => {
    running.set(i, await startBroker(classPath, nodes[i]!, compiler, (child) => running.set(i, child)));
  };
  const child = (i: number) => running.get(i);

  const kafka: LocalKafka = {
    brokers: nodes.map(({ port }) => `127.0.0.1:${port}`),
    pid: (i = 0) => (isAlive(child(i)) ? child(i)?.pid : undefined),
    async stop() {
      // A cluster that is deleted needs no orderly end.
      const signal = options.dir === undefined ? 'SIGKILL' : 'SIGTERM';
      await Promise.all([...running.values()].map((broker) => end(broker, signal)));
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
    async kill(i = 0) {
      await end(child(i), 'SIGKILL');
    },
    async restart(i = 0) {
      await end(child(i), 'SIGTERM');
      await start(i);
    },
    freeze: (i = 0) => void child(i)?.kill('SIGSTOP'),
    thaw: (i = 0) => void child(i)?.kill('SIGCONT'),
  };
  try {
    const cluster = clusterId(dir);
    await Promise.all(nodes.map((node) => prepare(classPath, node, nodes, cluster)));
    // A majority elects the controller that all of them wait for.
    await Promise.all(nodes.map((_, i) => start(i)));
    return kafka;
  } catch (error) {
    await kafka.stop();
    throw error;
  }
}

/** Kept with the data: its nodes have it in theirs. */
function clusterId(dir: string): string {
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, 'cluster-id');
  if (!existsSync(file)) {
    // Kafka takes no id that begins with a dash for one.
    writeFileSync(`${file}.new`, `L${randomBytes(16).toString('base64url').slice(1, 21)}A`);
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8');
}

/** Writes the settings, and makes the data folder in one step if there is none. */
async function prepare(classPath: string, node: Node, nodes: readonly Node[], cluster: string): Promise<void> {
  mkdirSync(node.folder, { recursive: true });
  const data = path.join(node.folder, 'data');
  writeFileSync(path.join(node.folder, 'server.properties'), settings(node, nodes, data));
  if (existsSync(data)) return;
  const half = `${data}.new`;
  rmSync(half, { recursive: true, force: true });
  const file = path.join(node.folder, 'format.properties');
  writeFileSync(file, settings(node, nodes, half));
  const child = java(classPath, ['kafka.tools.StorageTool', 'format', '-t', cluster, '-c', file], node.folder);
  const said = lastOutput(child);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`Kafka could not make its data folder ${data}: ${said().trim()}`)),
    );
  });
  renameSync(half, data);
}

function settings(node: Node, nodes: readonly Node[], data: string): string {
  const copies = nodes.length;
  const inSync = copies > 1 ? 2 : 1;
  const values = {
    'process.roles': 'broker,controller',
    'node.id': node.id,
    'controller.quorum.voters': nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(','),
    listeners: `PLAINTEXT://127.0.0.1:${node.port},CONTROLLER://127.0.0.1:${node.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${node.port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    'num.partitions': 3,
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'auto.create.topics.enable': false,
    'offsets.topic.num.partitions': 4,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    // A group of one waits for nobody.
    'group.initial.rebalance.delay.ms': 0,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 4_194_304,
    // Milliseconds that others wait for a dead broker, and that it waits for itself when it comes back.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** `started` is told of the process at once, so that it can be stopped while it starts. */
async function startBroker(
  classPath: string,
  node: Node,
  compiler: readonly string[],
  started: (child: ChildProcess) => void,
) {
  const until = Date.now() + START_MS;
  for (;;) {
    const child = java(classPath, ['kafka.Kafka', path.join(node.folder, 'server.properties')], node.folder, compiler);
    started(child);
    if (child.pid) endWithUs(child);
    const said = lastOutput(child);
    const failure = await serving(child, until - Date.now());
    if (failure === undefined) return child;
    await end(child, 'SIGKILL');
    // The broker of a program that was killed takes a moment to end, and holds the folder until then.
    if (!said().includes('Failed to acquire lock') || Date.now() > until) {
      throw new Error(`Kafka's broker ${node.id} did not start (${failure}): ${said().trim()}`);
    }
    await delay(200);
  }
}

/** Resolves with nothing once it serves, or with why it does not. */
function serving(child: ChildProcess, withinMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve('it takes too long'), withinMs);
    const settle = (failure?: string) => {
      clearTimeout(late);
      resolve(failure);
    };
    let said = '';
    child.stderr!.on('data', (text: string) => {
      said = (said + text).slice(-4_000);
      // Said when the controller has let it in: from then on others are told of it.
      if (said.includes('Kafka Server started')) settle();
    });
    child.once('error', (error) => settle(error.message));
    child.once('close', (code, signal) => settle(String(signal ?? `exit code ${code}`)));
  });
}

/** The quick compiler alone: the thorough one would take most of a small machine in the first minute. */
const QUICK = ['-XX:TieredStopAtLevel=1'];

function java(
  classPath: string,
  args: readonly string[],
  cwd: string,
  compiler: readonly string[] = QUICK,
): ChildProcess {
  const flags = ['-Xms256m', '-Xmx256m', '-XX:+UseSerialGC', ...compiler];
  const log = 'org.slf4j.simpleLogger';
  flags.push(`-D${log}.defaultLogLevel=warn`, `-D${log}.log.kafka.server.KafkaRaftServer=info`);
  const child = spawn('java', [...flags, '-cp', classPath, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C reaches us alone: who uses Kafka stops before it.
    detached: true,
  });
  child.stderr.setEncoding('utf8');
  return child;
}

function lastOutput(child: ChildProcess): () => string {
  let said = '';
  child.stderr!.on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  return () => said;
}

const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive(child)) return Promise.resolve();
  return new Promise((resolve) => {
    // The last of three finds no majority to sign off with.
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    // One that is frozen hears nothing.
    child.kill('SIGCONT');
    child.kill(signal);
  });
}
