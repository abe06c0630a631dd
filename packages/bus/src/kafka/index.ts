// The bus over Kafka, and what operators and tests need around it.
import type { Log } from '../log.ts';
import { createClient } from './client.ts';
import { type DeadLetterBox, openDeadLetters as openBox } from './dead-letters.ts';
import type { KafkaConnection } from './options.ts';
import { openSettling as openSettlingOn, type Settling } from './settled.ts';

export type { DeadLetterBox, StoredLetter } from './dead-letters.ts';
export { createKafkaBus } from './kafka-bus.ts';
export type { KafkaBus, KafkaConnection, KafkaOptions, TopicSettings } from './options.ts';
export type { Settling } from './settled.ts';

/** The dead letters of an installation. Nothing is asked of the brokers before the first call. */
export const openDeadLetters = (connection: KafkaConnection, log: Log, prefix?: string): DeadLetterBox =>
  openBox(createClient('landfall-dlq', connection, log), prefix);

/** Waits for the groups of an installation. */
export const openSettling = (connection: KafkaConnection, log: Log, prefix?: string): Settling =>
  openSettlingOn(createClient('landfall-settled', connection, log), prefix);
