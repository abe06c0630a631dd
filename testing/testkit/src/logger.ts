// The logger for tests. It is silent by default.
import { createLogger, type Logger } from '@landfall/runtime';

/** `LOG_LEVEL=debug npm test` shows what the product logs. */
export const testLogger = (): Logger =>
  createLogger({ service: 'test', level: process.env.LOG_LEVEL === 'debug' ? 'debug' : 'silent' });
