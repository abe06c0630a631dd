// The bus between services: the port, and the in-process adapter.

export {
  type DeadLetterBox,
  type DeadLetterSink,
  isWaiting,
  type OperatorsDeadLetterBox,
  type Replay,
  type StoredLetter,
} from './dead-letter.ts';
export { createInProcessBus } from './in-process/in-process-bus.ts';
export type { InProcessBus, InProcessOptions, Redelivered, Redelivery } from './in-process/options.ts';
export { InvalidInput } from './invalid-input.ts';
export type { KafkaBus, KafkaConnection, KafkaOptions, TopicSettings } from './kafka/options.ts';
export type { Log } from './log.ts';
export * from './observer.ts';
export * from './port.ts';
export type { GroupState } from './receiver.ts';
export { eventId, uuid5 } from './uuid5.ts';
