// What every process is made of: configuration, logs, health, metrics, traces, start and stop.
export { busCheck } from './bus-check.ts';
export * from './config.ts';
export * from './health.ts';
export { assertScaledOut, KafkaConfig, kafkaOptions } from './kafka-config.ts';
export { LogConfig } from './log-config.ts';
export * from './logger.ts';
export { type MetricDefinition, metricTable } from './metric-table.ts';
export { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
export { createObserver } from './observer.ts';
export * from './run.ts';
export { type HealthServer, readiness, type ServeHealthOptions, serveHealth } from './serve-health.ts';
export { noTracing, startTracing, type Tracing, type TracingOptions } from './tracing.ts';
export { TracingConfig } from './tracing-config.ts';
