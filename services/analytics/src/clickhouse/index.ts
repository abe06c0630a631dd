// Exports analytics over ClickHouse for the service's own process and the operator's commands.
export { type OnClickHouse, onClickHouse } from './on-clickhouse.ts';
export { removeFacts } from './remove-facts.ts';
export { type EventSource, makeTables, readerOf, readTopics } from './set-up.ts';
