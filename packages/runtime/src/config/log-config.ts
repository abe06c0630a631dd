// The log level, from the environment.
import { z } from 'zod';
import { logLevels } from '../logging/logger.ts';

export const LogConfig = z.object({
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`How much is logged: ${logLevels.join(', ')}.`),
});
