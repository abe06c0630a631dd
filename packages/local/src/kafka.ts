// Apache Kafka on this machine, without Docker: one broker, or a cluster of three.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from './child-process.ts';
import { freePorts } from './free-ports.ts';
import { archiveFlags } from './kafka-archive.ts';
import { kafkaJars } from './kafka-jars.ts';
import { end, prepare, QUICK, startBroker } from './kafka-node.ts';

export interface LocalKafkaOptions {
  /** The number of brokers; 1 when left out. Three keep three copies, and go on when one is down. They have no `dir`. */
  brokers?: 1 | 3;
  /** The folder of the data. When left out, a temporary folder, which `stop` deletes. */
  dir?: string;
  /** For brokers that run for long: they take more of the machine in their first minute, and a third less later. */
  lasting?: boolean;
}

/** A method with an `i` acts on the i-th broker, counted from 0, and on the first broker when `i` is left out. */
export type LocalKafka = Awaited<ReturnType<typeof startKafka>>;

/** One broker takes about 2 s, and each 230 MB of memory. Throws when a broker does not start. */
export async function startKafka(options: LocalKafkaOptions = {}) {
  const count = options.brokers ?? 1;
  const dir = path.resolve(options.dir ?? mkdtempSync(path.join(tmpdir(), 'landfall-kafka-')));
  const classPath = await kafkaJars();
  const program = { classPath, flags: [...(await archiveFlags(classPath)), ...(options.lasting ? [] : QUICK)] };
  const free = await freePorts(2 * count);
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    port: free[i]!,
    controllerPort: free[count + i]!,
    folder: path.join(dir, String(i + 1)),
  }));
  const running = new Map<number, ChildProcess>();
  const start = async (i: number) => {
    running.set(i, await startBroker(program, nodes[i]!, (child) => running.set(i, child)));
  };
  const child = (i: number) => running.get(i);

  const kafka = {
    /** `127.0.0.1:port` of each broker. */
    brokers: nodes.map(({ port }) => `127.0.0.1:${port}`),
    /** Returns the process id of the broker; undefined while the broker is down. */
    pid: (i = 0) => (isAlive(child(i)) ? child(i)?.pid : undefined),
    async stop(): Promise<void> {
      // A cluster whose data is deleted needs no orderly end.
      const signal = options.dir === undefined ? 'SIGKILL' : 'SIGTERM';
      await Promise.all([...running.values()].map((broker) => end(broker, signal)));
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
    /** Kills the broker's process without an orderly end, like a power cut. */
    kill: (i = 0) => end(child(i), 'SIGKILL'),
    /** Starts the broker again, with the same data and port. Resolves when the broker serves. */
    async restart(i = 0): Promise<void> {
      await end(child(i), 'SIGTERM');
      await start(i);
    },
    /** Freezes the broker: it keeps its connections and answers nothing. */
    freeze: (i = 0) => void child(i)?.kill('SIGSTOP'),
    thaw: (i = 0) => void child(i)?.kill('SIGCONT'),
  };
  try {
    // Kafka keeps the id with the data, and does not accept one that begins with a dash.
    const cluster = `L${randomBytes(16).toString('base64url').slice(1, 21)}A`;
    await Promise.all(nodes.map((node) => prepare(program, node, nodes, cluster)));
    // All brokers start at once: they all wait for a controller, and only a majority can elect it.
    await Promise.all(nodes.map((_, i) => start(i)));
    return kafka;
  } catch (error) {
    await kafka.stop();
    throw error;
  }
}
