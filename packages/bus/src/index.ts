// The bus between services: the port, and the in-process adapter.

export { eventId, uuid5 } from './context.ts';
export {
  type DeadLetterBox,
  type DeadLetterSink,
  isWaiting,
  type OperatorsDeadLetterBox,
  type Replay,
  type StoredLetter,
} from './dead-letter.ts';
export type { InProcessBus, InProcessOptions } from './in-process/core.ts';
export { createInProcessBus } from './in-process/in-process-bus.ts';
export { InvalidInput } from './invalid-input.ts';
export type { KafkaBus, KafkaConnection, KafkaOptions, TopicSettings } from './kafka/options.ts';
export * from './observer.ts';
export * from './port.ts';
export type { GroupState } from './receiver.ts';
