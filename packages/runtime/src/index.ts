// What every process is made of: configuration, logs, health, start and stop.
export * from './config.ts';
export * from './health.ts';
export * from './logger.ts';
export * from './run.ts';
