// The options of the Kafka adapter, and its functions in addition to the port.
import type { Log } from '../log.ts';
import type { BusHealth, GroupLag, Observer } from '../observer.ts';
import type { Bus } from '../port.ts';

/** The connection to the brokers. */
export interface KafkaConnection {
  /** The addresses of the brokers as `host:port`, at least one. */
  brokers: readonly string[];
  /** Certificates as PEM; `{}` when a known authority has signed the brokers' certificate. */
  tls?: { ca?: string; cert?: string; key?: string };
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
}

/** The settings of new topics. Existing topics are checked, and never changed. */
export interface TopicSettings {
  partitions: number;
  replication: number;
  /** Hours that events are kept. */
  eventHours: number;
  /** Hours that commands are kept. */
  commandHours: number;
  /** Hours that dead letters are kept. */
  deadLetterHours: number;
}

export interface KafkaOptions {
  /** The service that runs here, for example `link`. Its clients at the broker carry this name. */
  service: string;
  /** The name of this process among the processes of its service. */
  instance: string;
  connection: KafkaConnection;
  /** The prefix of every topic and group, for several installations on one cluster. Empty when left out. */
  prefix?: string;
  topics: TopicSettings;
  /** Topics of messages that are not in the contracts. The bus creates these topics, too. */
  otherTopics?: readonly string[];
  log: Log;
  /**
   * Returns true for an error of the infrastructure. After such an error the handler is retried until it passes. Busy
   * and NoAnswer always count as such errors.
   */
  isTransient?: (error: unknown) => boolean;
  observer?: Observer;
  /** Returns the time for new messages, in milliseconds since 1970. Deadlines do not use this clock. */
  clock?: () => number;
  /** The maximum number of messages in a batch; 500 when left out. */
  maxBatch?: number;
  /** The number of attempts for a single message whose handler throws; 3 when left out. */
  attempts?: number;
  /** The maximum number of requests in flight to one service; 200 when left out. Further requests reject with Busy. */
  maxAsks?: number;
  /** Milliseconds from the first message that is done to the commit of its offset; 200 when left out. */
  commitMs?: number;
  /** Milliseconds after which a handler that has not returned counts as hung; 60,000 when left out. */
  stuckMs?: number;
  /** Called when the process cannot go on, because a handler never returns. The process should end. */
  onFatal(error: Error): void;
}

export interface KafkaBus extends Bus {
  health(): BusHealth;
  /**
   * Reads from the brokers the lag of the groups in this process. Resolves with an empty list while the brokers do not
   * answer, before the start and after the stop.
   */
  lag(): Promise<readonly GroupLag[]>;
}
