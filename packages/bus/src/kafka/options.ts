import type { BusHealth, GroupLag, Log, Observer } from '../observer.ts';
import type { Bus } from '../port.ts';

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
  eventHours: number;
  commandHours: number;
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
  /** Returns true for an error after which the handler is retried until it passes. Busy and NoAnswer always are. */
  isTransient?: (error: unknown) => boolean;
  observer?: Observer;
  /** Returns the time for new messages, in milliseconds since 1970. Deadlines do not use this clock. */
  clock?: () => number;
  /** Milliseconds from the first message that is done to the commit of its offset; 200 when left out. */
  commitMs?: number;
  /** Milliseconds after which a handler that has not returned counts as hung; 60,000 when left out. */
  stuckMs?: number;
  /** Called when the process cannot go on, because a handler never returns. The process should end. */
  onFatal(error: Error): void;
}

export interface KafkaBus extends Bus {
  health(): BusHealth;
  /** Reads the lag of the groups in this process. Empty while the brokers do not answer, or the bus does not run. */
  lag(): Promise<readonly GroupLag[]>;
}
