// PostgreSQL, Kafka and Redis in containers, each as bare as the ones that this machine's programs give.
import { randomBytes } from 'node:crypto';
import { freePorts } from '@landfall/local';
import type { ContainerRuntimeClient, GenericContainer, StartedTestContainer } from 'testcontainers';
import { endContainerWithUs } from './end-container-with-us.ts';
import { engine, needImage, oneLine, ryukRuns, within } from './engine.ts';
import { images } from './images.ts';

export type Kind = keyof typeof images;

export interface Container {
  /** As the environment would name it. */
  address: string;
  /** Removes it, with its data. */
  stop(): Promise<void>;
}

/** In milliseconds. The engine takes a while for the first container of an image. */
const READY_MS = 60_000;
const START_MS = 120_000;

/** One to a few seconds, when the image is there. Throws with one sentence; `NoImage` when the engine cannot get the image. */
export async function startContainer(kind: Kind): Promise<Container> {
  const image = images[kind];
  const client = await engine();
  await needImage(client, image);
  const { GenericContainer } = await import('testcontainers');
  // The remover exists before the container.
  const watched = (await ryukRuns(client)) ? undefined : endContainerWithUs();
  let said = '';
  const container = new GenericContainer(image)
    .withLabels(watched?.labels ?? {})
    .withStartupTimeout(READY_MS)
    .withLogConsumer((stream) =>
      stream.on('data', (text: Buffer) => {
        said = (said + text).slice(-2_000);
      }),
    );
  let started: StartedTestContainer;
  let addressOf: (container: StartedTestContainer) => string;
  try {
    addressOf = await recipes[kind](container, client);
    started = await within(START_MS, container.start(), `the engine took longer than ${START_MS / 1000} s`);
  } catch (error) {
    // It ends what may still be starting.
    watched?.end();
    throw new Error(`A container of ${image} did not start (${(error as Error).message}): ${oneLine(said)}`, {
      cause: error,
    });
  }
  return {
    address: addressOf(started),
    async stop() {
      await started.stop();
      watched?.nothingLeft();
    },
  };
}

type Recipe = (
  container: GenericContainer,
  client: ContainerRuntimeClient,
) => Promise<(started: StartedTestContainer) => string>;

const recipes: Record<Kind, Recipe> = {
  async postgres(container) {
    const { Wait } = await import('testcontainers');
    const password = randomBytes(16).toString('hex');
    const settings = ['listen_addresses=*', 'fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'jit=off'];
    container
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
      .withExposedPorts(5432)
      // By TCP: while the image makes its first database the server listens on its socket alone.
      .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready -q -h 127.0.0.1'));
    return (started) =>
      `postgresql://postgres:${password}@${started.getHost()}:${started.getMappedPort(5432)}/postgres`;
  },

  async kafka(container, { info }) {
    const { Wait } = await import('testcontainers');
    const { host } = info.containerRuntime;
    // A broker tells its clients where it is, so its port outside is chosen before it starts.
    const [port = 0] = await freePorts(1);
    container
      .withEnvironment(brokerSettings(`${host}:${port}`))
      .withExposedPorts({ container: 9092, host: port })
      .withWaitStrategy(Wait.forLogMessage('Kafka Server started'));
    return () => `${host}:${port}`;
  },

  async redis(container) {
    const { Wait } = await import('testcontainers');
    container.withExposedPorts(6379).withWaitStrategy(Wait.forLogMessage('Ready to accept connections'));
    return (started) => `redis://${started.getHost()}:${started.getMappedPort(6379)}`;
  },
};

/** The image takes any setting as a variable, and leaves its own away as soon as there is one. */
function brokerSettings(address: string): Record<string, string> {
  return {
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9094',
    KAFKA_LISTENERS: 'PLAINTEXT://:9092,INSIDE://localhost:9093,CONTROLLER://localhost:9094',
    KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${address},INSIDE://localhost:9093`,
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_INTER_BROKER_LISTENER_NAME: 'INSIDE',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_NUM_PARTITIONS: '3',
    KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS: '4',
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
    // A group of one waits for nobody.
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    KAFKA_LOG_CLEANER_DEDUPE_BUFFER_SIZE: '4194304',
    KAFKA_HEAP_OPTS: '-Xms256m -Xmx256m',
  };
}
