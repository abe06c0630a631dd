// The bus over Kafka, and the tools around it for operators and tests.
export { areBrokersAway, assertBrokersAnswer, noLog } from './client.ts';
export { openDeadLetters } from './dead-letters.ts';
export { type BrokerState, openInspection, type PartitionTrouble } from './inspect.ts';
export { createKafkaBus } from './kafka-bus.ts';
export type { KafkaBus, KafkaConnection, KafkaOptions, TopicSettings } from './options.ts';
export { type Replayed, replayEvents } from './read-topics.ts';
export { compareTopics, type TopicFinding } from './topics/compare-topics.ts';
export { productTopics, shapeOf } from './topics/wanted-topics.ts';
export { eventHeaders } from './wire.ts';
