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
import { type Running, StartError } from '@landfall/runtime';

export interface Given {
  databaseUrl?: string;
  brokers?: readonly string[];
  redisUrl?: string;
}

export interface Servers extends Required<Given>, Running {
  /** Set when the server was started here. `redis` and `postgres` follow the same rule. */
  kafka: LocalKafka | undefined;
  redis: LocalRedis | undefined;
  postgres: Embedded | undefined;
}

export interface ServersOptions extends Given {
  dir: string;
  lasting: boolean | undefined;
  /** Receives the reason when PostgreSQL ends although nothing has stopped it. */
  onEnd(what: string): void;
}

/** Throws {@link StartError} with a message that says what to install. */
export function assertInstalled({ brokers, redisUrl }: Given): void {
  const noKafka = brokers ? undefined : kafkaAvailable();
  if (noKafka) throw new StartError(noKafka);
  const noRedis = redisUrl ? undefined : redisAvailable();
  if (noRedis) throw new StartError(noRedis);
}

export async function startServers({ dir, lasting, onEnd, ...given }: ServersOptions): Promise<Servers> {
  assertInstalled(given);
  mkdirSync(dir, { recursive: true });
  const started: Running[] = [];
  const stop = async () => {
    for (const server of started.splice(0).reverse()) await server.stop();
  };
  const keep = <T extends Running>(server: T): T => {
    started.push(server);
    return server;
  };
  try {
    const postgres = given.databaseUrl
      ? undefined
      : keep(
          await startEmbedded({
            dir: path.join(dir, 'postgres'),
            durable: true,
            create: !existsSync(path.join(dir, 'owner-token')),
            onExit: onEnd,
          }),
        );
    const kafka = given.brokers ? undefined : keep(await startKafka({ dir: path.join(dir, 'kafka'), lasting }));
    const redis = given.redisUrl ? undefined : keep(await startRedis());
    return {
      databaseUrl: given.databaseUrl ?? postgres?.url ?? '',
      brokers: given.brokers ?? kafka?.brokers ?? [],
      redisUrl: given.redisUrl ?? redis?.url ?? '',
      kafka,
      redis,
      postgres,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
