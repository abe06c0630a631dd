// Starts PostgreSQL, Kafka and Redis for the services on this machine. Does not start a server that is given.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Embedded, startEmbedded } from '@landfall/db';
import {
  kafkaAvailable,
  type LocalKafka,
  type LocalRedis,
  redisAvailable,
  startKafka,
  startRedis,
} from '@landfall/local';
import { type Running, StartError, startInOrder } from '@landfall/runtime';

export interface Given {
  databaseUrl?: string;
  brokers?: readonly string[];
  redisUrl?: string;
}

interface OwnServers {
  kafka: LocalKafka | undefined;
  redis: LocalRedis | undefined;
  postgres: Embedded | undefined;
}

interface Servers extends Required<Given>, OwnServers, Running {}

interface ServersOptions extends Given {
  dir: string;
  lasting?: boolean;
  /** Receives the reason when PostgreSQL ends although nothing has stopped it. */
  onEnd(what: string): void;
}

/** @throws {@link StartError} that says what to install */
export function assertInstalled({ brokers, redisUrl }: Given): void {
  const noKafka = brokers ? undefined : kafkaAvailable();
  if (noKafka) throw new StartError(noKafka);
  const noRedis = redisUrl ? undefined : redisAvailable();
  if (noRedis) throw new StartError(noRedis);
}

export async function startServers({ dir, lasting, onEnd, ...given }: ServersOptions): Promise<Servers> {
  assertInstalled(given);
  mkdirSync(dir, { recursive: true });
  const own: OwnServers = { postgres: undefined, kafka: undefined, redis: undefined };
  const { stop } = await startInOrder(async (started) => {
    if (!given.databaseUrl) {
      const create = !existsSync(path.join(dir, 'owner-token'));
      own.postgres = await startEmbedded({ dir: path.join(dir, 'postgres'), durable: true, create, onExit: onEnd });
      started.push(own.postgres);
    }
    if (!given.brokers) {
      own.kafka = await startKafka({ dir: path.join(dir, 'kafka'), lasting });
      started.push(own.kafka);
    }
    if (!given.redisUrl) {
      own.redis = await startRedis();
      started.push(own.redis);
    }
  });
  return {
    databaseUrl: given.databaseUrl ?? own.postgres?.url ?? '',
    brokers: given.brokers ?? own.kafka?.brokers ?? [],
    redisUrl: given.redisUrl ?? own.redis?.url ?? '',
    ...own,
    stop,
  };
}
