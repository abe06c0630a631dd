// Runs one service as its own process: starts it, watches it, and starts it again when it dies.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, endWithUs, isAlive, systemEnv } from '@landfall/local';
import { StartError } from '@landfall/runtime';

export type StackProcess = ReturnType<typeof serviceProcess>;

export interface ServiceProcessOptions {
  /** The service and its number: `link-2`. */
  name: string;
  /** The file that Node runs, and its arguments. */
  program: readonly string[];
  /** The port of a gateway or a console; undefined for a worker. */
  port: number | undefined;
  metricsPort: number;
  env: NodeJS.ProcessEnv;
  nodeFlags: readonly string[];
  /** True when the process is started again after it dies. */
  restart: boolean;
  onLine(name: string, line: string): void;
}

/**
 * The same flag as in `npm start`. By default, V8 lets young memory grow to four times this size, at the same speed.
 */
const YOUNG_MEMORY = '--max-semi-space-size=16';
const START_MS = 60_000;
/** Milliseconds that a process has for its stop. A service ends its own stop after 9 s. */
const STOP_MS = 10_000;
const RESTART_MS = 1_000;
/** The number of last lines that the error of a failed start shows. */
const LAST_LINES = 12;

export function serviceProcess(options: ServiceProcessOptions) {
  const { name, port, metricsPort, onLine } = options;
  let child: ChildProcess | undefined;
  /** True while the process should run. */
  let wanted = false;
  /** True when the process was ready once. A process that cannot even start is not retried for ever. */
  let proven = false;
  let again: NodeJS.Timeout | undefined;
  /** The last lines on standard error. The reason of a failed start is there, and not in the log. */
  let lastErrors: string[] = [];
  let closed: Promise<unknown> = Promise.resolve();

  function launch(): void {
    const own = { METRICS_PORT: String(metricsPort), ...(port && { PORT: String(port) }) };
    const env = { ...systemEnv(), ...options.env, ...own };
    // Detached, so that Ctrl-C reaches only the stack, which stops its processes in order.
    const mine = spawn(process.execPath, [YOUNG_MEMORY, ...options.nodeFlags, ...options.program], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    child = mine;
    endWithUs(mine);
    lastErrors = [];
    createInterface({ input: mine.stdout! }).on('line', (line) => onLine(name, line));
    createInterface({ input: mine.stderr! }).on('line', (line) => {
      lastErrors = [...lastErrors, line].slice(-LAST_LINES);
      onLine(name, line);
    });
    // The event `close` comes after the last line of the process.
    closed = once(mine, 'close').then(([code, signal]) => {
      // The process may have been started again since it ended.
      if (!wanted || child !== mine) return;
      const ended = `ended (${signal ?? `exit code ${code}`})`;
      if (!options.restart || !proven) return onLine(name, ended);
      onLine(name, `${ended}, and is started again in a second`);
      again = setTimeout(launch, RESTART_MS);
    });
  }

  /** Starts the process if it is down. Resolves when it is ready. */
  async function start(): Promise<void> {
    wanted = true;
    if (!isAlive(child)) {
      clearTimeout(again);
      launch();
    }
    const mine = child;
    const until = Date.now() + START_MS;
    while (!(await isReady(metricsPort))) {
      if (!isAlive(mine)) {
        await closed;
        throw new StartError(`${name} did not start: ${lastErrors.join('\n')}`);
      }
      if (Date.now() > until) throw new Error(`${name} is not ready after ${START_MS / 1000} s.`);
      await delay(50);
    }
    proven = true;
  }

  /** Prevents a restart of the process, however it ends. */
  function leave(): void {
    wanted = false;
    clearTimeout(again);
  }

  return {
    name,
    port,
    metricsPort,
    /** Undefined while the process is down. */
    pid: () => (isAlive(child) ? child?.pid : undefined),
    start,
    /**
     * Ends the process as `kill -9` does. If the stack restarts dead processes, the process is back a little more than a
     * second later.
     */
    kill: () => endProcess(child, 'SIGKILL', STOP_MS),
    leave,
    /**
     * Asks the process to end. Resolves after its end with its exit code, or with null when it had to be killed. The
     * process stays down.
     */
    async term(): Promise<number | null> {
      leave();
      await endProcess(child, 'SIGTERM', STOP_MS);
      return child?.exitCode ?? null;
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
