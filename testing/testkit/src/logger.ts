// A logger that keeps errors, so that a test that ends well has logged none by accident.
import { createLogger, type Logger } from '@landfall/runtime';

/** `LOG_LEVEL=debug npm test` shows what the product logs. */
export const testLogger = (): Logger =>
  createLogger({ service: 'test', level: process.env.LOG_LEVEL === 'debug' ? 'debug' : 'silent' });
