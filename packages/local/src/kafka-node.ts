// One node of Kafka: its settings, its data folder and its process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, endWithUs, lastOutput, untilItSays } from './child-process.ts';

export interface KafkaNode {
  id: number;
  port: number;
  controllerPort: number;
  folder: string;
}

/** Uses only the quick compiler. The thorough compiler would take most of a small machine in the first minute. */
export const QUICK = ['-XX:TieredStopAtLevel=1'];

const START_MS = 60_000;
const STOP_MS = 10_000;

export interface KafkaProgram {
  classPath: string;
  flags: readonly string[];
}

/** Writes the settings. Makes the data folder in one step if there is none. */
export async function prepare(
  program: KafkaProgram,
  node: KafkaNode,
  nodes: readonly KafkaNode[],
  cluster: string,
): Promise<void> {
  mkdirSync(node.folder, { recursive: true });
  const data = path.join(node.folder, 'data');
  writeFileSync(path.join(node.folder, 'server.properties'), settings(node, nodes, data));
  if (existsSync(data)) return;
  const half = `${data}.new`;
  rmSync(half, { recursive: true, force: true });
  const file = path.join(node.folder, 'format.properties');
  writeFileSync(file, settings(node, nodes, half));
  const child = java(program, ['kafka.tools.StorageTool', 'format', '-t', cluster, '-c', file], node.folder);
  const said = lastOutput(child.stderr);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Kafka could not make its data folder ${data}: ${said().trim()}`);
  renameSync(half, data);
}

function settings(node: KafkaNode, nodes: readonly KafkaNode[], data: string): string {
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
    // A group with one consumer need not wait for other consumers.
    'group.initial.rebalance.delay.ms': 0,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 4_194_304,
    // Milliseconds that other brokers wait for a dead broker. A broker that comes back also waits this long.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Starts a broker. Passes the process to `started` at once, so that the caller can stop it while it starts. */
export async function startBroker(program: KafkaProgram, node: KafkaNode, started: (child: ChildProcess) => void) {
  const until = Date.now() + START_MS;
  for (;;) {
    const child = java(program, ['kafka.Kafka', path.join(node.folder, 'server.properties')], node.folder);
    started(child);
    if (child.pid) endWithUs(child);
    try {
      // Kafka logs this when the controller has accepted the broker. From then on the other brokers learn of it.
      await untilItSays(`Kafka's broker ${node.id}`, child, child.stderr, 'Kafka Server started', until - Date.now());
      return child;
    } catch (error) {
      await end(child, 'SIGKILL');
      // When a program was killed, its broker takes a moment to end. It holds the lock of the folder until then.
      if (!String(error).includes('Failed to acquire lock') || Date.now() > until) throw error;
      await delay(200);
    }
  }
}

function java({ classPath, flags: more }: KafkaProgram, args: readonly string[], cwd: string) {
  const flags = ['-Xms256m', '-Xmx256m', '-XX:+UseSerialGC', ...more];
  const log = 'org.slf4j.simpleLogger';
  flags.push(`-D${log}.defaultLogLevel=warn`, `-D${log}.log.kafka.server.KafkaRaftServer=info`);
  return spawn('java', [...flags, '-cp', classPath, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C then reaches only this process: the programs that use Kafka must stop before Kafka.
    detached: true,
  });
}

/** Ends a broker. The last of three brokers finds no majority to sign off with, so it is killed after a while. */
export const end = (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> =>
  endProcess(child, signal, STOP_MS);
