// Logs: one JSON line for each event, on standard output. Levels have meanings: error = an operator must act; warn = an
// operator should know; info = an operator wants to see it once; debug = helps to find a fault.
import { type DestinationStream, type Logger, pino } from 'pino';
import { z } from 'zod';
import { withLoggedErrors } from './logged-error.ts';

export type { Logger };

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const LogConfig = z.object({
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`How much is logged: ${logLevels.join(', ')}.`),
});

/** Callers never pass keys, tokens, addresses or emails to it. `to`: standard output when left out. */
export function createLogger(
  options: { service: string; level: (typeof logLevels)[number] },
  to?: DestinationStream,
): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    messageKey: 'msg',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withLoggedErrors },
    // Pino's own serialiser would write every property.
    serializers: { err: (logged: unknown) => logged },
  };
  return to ? pino(settings, to) : pino(settings);
}
