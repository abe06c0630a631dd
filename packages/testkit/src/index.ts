// What tests are made of. Only tests import this package.
export { type LocalRedis, redisInstalled, startRedis } from '@landfall/local';
export * from './clock.ts';
export * from './handler-suite.ts';
export * from './http.ts';
export * from './logger.ts';
export * from './scale-out.ts';
export * from './system.ts';
