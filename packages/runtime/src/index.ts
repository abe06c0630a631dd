// What every process is made of: configuration, logs, health, metrics, traces, start and stop.
export { busCheck } from './bus-check.ts';
export * from './config.ts';
export * from './health.ts';
export { assertScaledOut, KafkaConfig, kafkaOptions } from './kafka-config.ts';
export { LogConfig } from './log-config.ts';
export { errorText } from './logged-error.ts';
export * from './logger.ts';
export { type MetricDefinition, metricTable } from './metric-table.ts';
export { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
export { MetricsHostsConfig } from './metrics-hosts.ts';
export { createObserver } from './observer.ts';
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
export { pushMetricTable } from './push-metric-table.ts';
export * from './run.ts';
export { createSealer, SealConfig, type Sealer } from './sealing.ts';
export { type HealthServer, readiness, type ServeHealthOptions, serveHealth } from './serve-health.ts';
export { createSlots, type Slots } from './slots.ts';
export { sortKeys } from './sort-keys.ts';
export { calmAtStop, unlessStopping } from './stopping.ts';
export { noTracing, startTracing, type Tracing, type TracingOptions } from './tracing.ts';
export { TracingConfig } from './tracing-config.ts';
export { productVersion } from './version.ts';
