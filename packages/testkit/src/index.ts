// What tests are made of. Only tests import this package.
export { type LocalRedis, redisAvailable, startRedis } from '@landfall/local';
export { freshIp } from './addresses.ts';
export * from './certificates.ts';
export * from './clock.ts';
export { type DnsServer, startDnsServer } from './dns-server.ts';
export * from './fakes-of-run.ts';
export * from './handler-suite.ts';
export * from './http.ts';
export * from './keep.ts';
export * from './logger.ts';
export { LINK_DOMAIN, PUBLIC_URL } from './names.ts';
export { openTopics, readTopics, type StoredRecord, type Topics } from './over-kafka/read-topics.ts';
export { secretsSaid } from './over-kafka/secrets-said.ts';
export * from './people.ts';
export { type AsyncApi, type PublicRecord, recordChecker } from './record-checker.ts';
export * from './scale-out.ts';
export * from './system.ts';
export * from './tables.ts';
