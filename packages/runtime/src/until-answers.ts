// Waits at the start for a server that does not answer yet. A process that ended instead would count as unhealthy for
// its supervisor, and would start ever later.
import { StartError } from './config/config.ts';
import { isStopping } from './stopping.ts';

export interface AwaitedServer {
  /** For operators: `Kafka at kafka:9092`. */
  name: string;
  log: { warn(fields: object, line: string): void };
  /** Returns true for an error that passes when the server is up. Any other error ends the start at once. */
  isAway(error: unknown): boolean;
}

const WAIT_MS = 60_000;
const AGAIN_MS = 500;
/** Milliseconds between two lines in the log. */
const SAY_MS = 10_000;

/** Throws StartError when it has not answered for a minute, when it refuses, or when the process is asked to stop. */
export async function untilAnswers(ask: () => Promise<unknown>, { name, log, isAway }: AwaitedServer): Promise<void> {
  const begun = performance.now();
  let said = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      const reason = reasonOf(error);
      if (!isAway(error)) throw new StartError(`${name} cannot be used: ${reason}.`, { cause: error });
      if (isStopping()) throw new StartError(`Stopped before ${name} answered.`, { cause: error });
      const now = performance.now();
      if (now - begun > WAIT_MS)
        throw new StartError(`${name} has not answered for ${WAIT_MS / 1000} s: ${reason}.`, { cause: error });
      if (now - said >= SAY_MS) {
        said = now;
        log.warn({ reason }, `${name} does not answer yet, and the start waits for it`);
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** Throws a {@link StartError} with the reason, for faults of servers, in which nobody looks for a line of the code. */
export function asStartError(error: unknown): never {
  throw new StartError(reasonOf(error).replace(/\.?$/, '.'), { cause: error });
}

/** Returns the message. When several addresses of one name refuse, only the inner errors have one. */
export function reasonOf(error: unknown): string {
  const { message, errors, code } = error as AggregateError & { code?: string };
  return message || errors?.[0]?.message || code || String(error);
}
