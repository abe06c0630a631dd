// The options of the Kafka adapter, and its functions besides the port.
import type { Log } from '../log.ts';
import type { BusHealth, Observer } from '../observer.ts';
import type { Bus } from '../port.ts';

/** The connection to the brokers. */
export interface KafkaConnection {
  /** `host:port`, at least one. */
  brokers: readonly string[];
  /** Certificates as PEM; `{}` for a certificate of a known authority. */
  tls?: { ca?: string; cert?: string; key?: string };
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
}

/** The settings of new topics. Existing topics are checked, and never changed. */
export interface TopicSettings {
  partitions: number;
  replication: number;
  /** Hours that public events are kept. */
  eventHours: number;
  /** Hours that commands are kept. */
  commandHours: number;
  /** Hours that dead letters are kept. */
  deadLetterHours: number;
}

export interface KafkaOptions {
  /** The service that runs here, `link`: names its clients at the broker. */
  service: string;
  /** Names this process among those of its service. */
  instance: string;
  connection: KafkaConnection;
  /** In front of every topic and group, for several installations on one cluster. Empty when left out. */
  prefix?: string;
  topics: TopicSettings;
  /** Topics of messages that are in no list of the contracts: they are made, too. */
  otherTopics?: readonly string[];
  log: Log;
  /**
   * Returns true for an error of the infrastructure, after which the handler is tried again until it passes. Busy and
   * NoAnswer always are.
   */
  isTransient?: (error: unknown) => boolean;
  observer?: Observer;
  /** The time that messages get, in milliseconds since 1970. Deadlines do not follow it. */
  clock?: () => number;
  /** The largest batch, 500 when left out. */
  maxBatch?: number;
  /** The number of single attempts for a message on which its handler throws; 3 when left out. */
  attempts?: number;
  /** Asks in flight to one service, 200 when left out; over it Busy. */
  maxAsks?: number;
  /** Milliseconds between two commits of offsets; 200 when left out. */
  commitMs?: number;
  /** A handler that has not returned after this time never will, in milliseconds; 60,000 when left out. */
  stuckMs?: number;
  /** The process cannot go on: a handler that never returns, a consumer that cannot be brought back. It should end. */
  onFatal(error: Error): void;
}

export interface KafkaBus extends Bus {
  health(): Promise<BusHealth>;
}
