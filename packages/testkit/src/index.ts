// What tests are made of. Only tests import this package.
export { type LocalRedis, redisInstalled, startRedis } from '@landfall/local';
export { freshIp } from './addresses.ts';
export * from './clock.ts';
export * from './handler-suite.ts';
export * from './http.ts';
export * from './logger.ts';
export { LINK_DOMAIN } from './names.ts';
export { readTopics, type StoredRecord } from './over-kafka/read-topics.ts';
export { secretsSaid } from './over-kafka/secrets-said.ts';
export * from './scale-out.ts';
export * from './system.ts';
