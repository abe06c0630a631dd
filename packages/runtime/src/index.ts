// The parts of every process: configuration, logs, health, metrics, traces, start and stop.

export * from './config/config.ts';
export { assertScaledOut, KafkaConfig, kafkaOptions } from './config/kafka-config.ts';
export { TracingConfig } from './config/tracing-config.ts';
export { emailHash, plainEmail } from './email-hash.ts';
export * from './health/health.ts';
export { type HealthServer, MetricsHostsConfig, readiness, serveHealth } from './health/serve-health.ts';
export { errorText } from './logging/logged-error.ts';
export * from './logging/logger.ts';
export { type MetricDefinition, metricTable, pushMetricTable } from './metrics/metric-table.ts';
export { createMetrics, createObserver, type Metrics } from './metrics/metrics.ts';
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
export { noTracing, type Tracing } from './tracing/port.ts';
export { startTracing } from './tracing/tracing.ts';
export { asStartError, reasonOf, untilAnswers } from './until-answers.ts';
export { productVersion } from './version.ts';
