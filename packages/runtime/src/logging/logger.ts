// Logs: one JSON line for each thing that happened, on standard output. Levels have meanings: error = somebody must
// act; warn = somebody should know; info = what an operator wants to see once; debug = for finding a fault.
import { type DestinationStream, type Logger, pino } from 'pino';
import { withLoggedErrors } from './logged-error.ts';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * A logger for a service. Keys, tokens, addresses and emails are never given to it. Of errors it writes the type, the message,
 * the code and the stack, under whatever name they are given.
 * @param to standard output when left out
 */
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
    // Pino's own serialiser writes every property.
    serializers: { err: (logged: unknown) => logged },
  };
  return to ? pino(settings, to) : pino(settings);
}
