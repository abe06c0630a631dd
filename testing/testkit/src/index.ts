// Helpers for tests. Only tests import this package.

export { eachDatabase } from '@landfall/db/fixture';
export { type LocalRedis, redisAvailable, startRedis } from '@landfall/local';
export { freshIp } from './addresses.ts';
export * from './certificates.ts';
export * from './clickhouse/clickhouse.ts';
export * from './clock.ts';
export { type DnsServer, startDnsServer } from './dns-server.ts';
export * from './fakes-of-run.ts';
export * from './logger.ts';
export { openTopics, readTopics, type StoredRecord, type Topics } from './over-kafka/read-topics.ts';
export { secretsSaid } from './over-kafka/secrets-said.ts';
export { type Mailbox, startMailbox } from './people/mailbox.ts';
export { newPasskey } from './people/software-passkey.ts';
export { type AsyncApi, type PublicRecord, recordChecker } from './record-checker.ts';
export * from './scale-out.ts';
export * from './system/handler-suite.ts';
export * from './system/http.ts';
export * from './system/people.ts';
export { KEEP, LINK_DOMAIN, PUBLIC_URL } from './system/settings.ts';
export * from './system/system.ts';
export * from './system/tables.ts';
