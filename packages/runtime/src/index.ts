// The parts of every process: configuration, logs, health, metrics, traces, start and stop.

export * from './config/config.ts';
export { databaseHost, databaseUrl, withHost } from './config/database-url.ts';
export { assertScaledOut, KafkaConfig, kafkaOptions } from './config/kafka-config.ts';
export { LogConfig } from './config/log-config.ts';
export { MetricsHostsConfig } from './config/metrics-hosts.ts';
export { TracingConfig } from './config/tracing-config.ts';
export { emailHash, plainEmail } from './email-hash.ts';
export { busCheck } from './health/bus-check.ts';
export * from './health/health.ts';
export { type HealthServer, readiness, type ServeHealthOptions, serveHealth } from './health/serve-health.ts';
export { errorText } from './logging/logged-error.ts';
export * from './logging/logger.ts';
export { type MetricDefinition, metricTable } from './metrics/metric-table.ts';
export { createMetrics, type Metrics, type MetricsOptions } from './metrics/metrics.ts';
export { createObserver } from './metrics/observer.ts';
export { pushMetricTable } from './metrics/push-metric-table.ts';
export { createSlots, type Slots } from './metrics/slots.ts';
export { sortKeys } from './metrics/sort-keys.ts';
export { capOldMemory } from './old-memory.ts';
export {
  type ApnsCredentials,
  type FcmCredentials,
  type PushCredentials,
  PushCredentialsError,
  parsePushCredentials,
  readPushCredentials,
  writePushCredentials,
} from './push-credentials.ts';
export * from './run.ts';
export { createSealer, SealConfig, type Sealer } from './sealing.ts';
export { calmAtStop, unlessStopping } from './stopping.ts';
export { noTracing, type Tracing, type TracingOptions } from './tracing/port.ts';
export { startTracing } from './tracing/tracing.ts';
export { type AwaitedServer, asStartError, reasonOf, untilAnswers } from './until-answers.ts';
export { productVersion } from './version.ts';
