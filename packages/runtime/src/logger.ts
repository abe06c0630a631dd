// Logs: one JSON line for each thing that happened, on standard output. Levels have meanings: error = somebody must
// act; warn = somebody should know; info = what an operator wants to see once; debug = for finding a fault.
import { type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** A logger for a service. Keys, tokens, addresses and emails are never given to it. */
export function createLogger(options: { service: string; level: (typeof logLevels)[number] }): Logger {
  return pino({
    level: options.level,
    base: { service: options.service },
    messageKey: 'msg',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
