// The bus over Kafka, and the tools around it for operators and tests.
import type { OperatorsDeadLetterBox } from '../dead-letter.ts';
import type { Log } from '../log.ts';
import { createClient } from './client.ts';
import { openDeadLetters as openBox } from './dead-letters/dead-letters.ts';
import type { KafkaConnection, TopicSettings } from './options.ts';
import { type Replayed, type ReplayedCount, replayEvents as replayEventsOn } from './replay-events.ts';
import { openSettling as openSettlingOn, type Settling } from './settled.ts';
import { findTopics, type TopicFinding } from './topics/compare-topics.ts';
import type { WantedTopics } from './topics/wanted-topics.ts';

export {
  type BrokerState,
  type Inspection,
  openInspection,
  type PartitionTrouble,
} from './inspect.ts';
export { createKafkaBus } from './kafka-bus.ts';
export type { KafkaBus, KafkaConnection, KafkaOptions, TopicSettings } from './options.ts';
export { areBrokersAway, assertBrokersAnswer } from './reachable.ts';
export type { Replayed, ReplayedCount } from './replay-events.ts';
export type { Settling } from './settled.ts';
export type { TopicFinding } from './topics/compare-topics.ts';
export { productTopics, shapeOf, type TopicKind, type WantedTopics } from './topics/wanted-topics.ts';
export { eventHeaders } from './wire.ts';

/** Opens the dead letters of an installation. Sends no request to the brokers before the first call. */
export const openDeadLetters = (connection: KafkaConnection, log: Log, prefix?: string): OperatorsDeadLetterBox =>
  openBox(createClient('landfall-dlq', connection, log), prefix);

/** Opens a tool that waits until the groups of an installation have done their work. */
export const openSettling = (connection: KafkaConnection, log: Log, prefix?: string): Settling =>
  openSettlingOn(createClient('landfall-settled', connection, log), prefix);

/** Hands the events of topics to listeners again: see replay-events.ts. */
export const replayEvents = (
  connection: KafkaConnection,
  replayed: readonly Replayed[],
  log: Log,
  prefix?: string,
): Promise<ReplayedCount> => replayEventsOn(createClient('landfall-replay', connection, log), replayed, prefix);

/**
 * Compares the topics of an installation with its settings. Reports missing topics, and topics with other partitions,
 * copies or retention. Creates and changes nothing. `wanted` comes from {@link productTopics}. Rejects when the brokers
 * do not answer.
 */
export async function compareTopics(
  connection: KafkaConnection,
  wanted: WantedTopics,
  settings: TopicSettings,
  log: Log,
): Promise<TopicFinding[]> {
  const admin = createClient('landfall-topics', connection, log).admin();
  try {
    await admin.connect();
    return await findTopics(admin, wanted, settings);
  } finally {
    await admin.disconnect();
  }
}
