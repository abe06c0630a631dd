// Apache Kafka on this machine, without Docker: one broker, or a cluster of three.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from './end-process.ts';
import { freePorts } from './free-ports.ts';
import { archiveFlags } from './kafka-archive.ts';
import { kafkaJars } from './kafka-jars.ts';
import { end, prepare, QUICK, startBroker } from './kafka-node.ts';

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

/** About 2 s for one broker, with 230 MB of memory each. Throws when it does not start. */
export async function startKafka(options: LocalKafkaOptions = {}): Promise<LocalKafka> {
  const count = options.brokers ?? 1;
  const dir = path.resolve(options.dir ?? mkdtempSync(path.join(tmpdir(), 'landfall-kafka-')));
  const classPath = await kafkaJars();
  const program = { classPath, flags: [...(await archiveFlags(classPath)), ...(options.lasting ? [] : QUICK)] };
  const free = await freePorts(2 * count);
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    port: options.ports?.[i] ?? free[i]!,
    controllerPort: free[count + i]!,
    folder: path.join(dir, String(i + 1)),
  }));
  const running = new Map<number, ChildProcess>();
  const start = async (i: number) => {
    running.set(i, await startBroker(program, nodes[i]!, (child) => running.set(i, child)));
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
    await Promise.all(nodes.map((node) => prepare(program, node, nodes, cluster)));
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
