// The life of a process: start, wait for a signal, stop in order, end.
import { StartError } from './config/config.ts';
import { errorText } from './logging/logged-error.ts';
import { releaseStartMemory } from './old-memory.ts';
import { beginStopping } from './stopping.ts';

export interface Running {
  stop(): Promise<void>;
}

/** `start` lists each part once it runs. All are stopped in reverse order, also when the start fails and throws. */
export async function startInOrder(start: (started: Running[]) => Promise<void>): Promise<Running> {
  const started: Running[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    await start(started);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Milliseconds after which an unfinished stop is cut off. Container platforms kill after 10 s. */
const STOP_WITHIN_MS = 9_000;

/**
 * Runs a program until SIGINT, SIGTERM or SIGHUP. A {@link StartError} ends it with its sentence and exit code 1. Any
 * other error is shown with its stack, because a person must look at it.
 */
export async function run(start: () => Promise<Running>): Promise<void> {
  let stopping = false;
  let running: Running | undefined;
  const stop = async () => {
    // A second signal during a stop changes nothing. A start that is under way is stopped when it is done.
    if (stopping) return;
    stopping = true;
    beginStopping();
    setTimeout(() => {
      console.error(`Stopping took longer than ${STOP_WITHIN_MS / 1000} seconds and was cut off.`);
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
    await running?.stop();
    if (running) process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  const fail: (error: unknown) => never = (error) => {
    console.error(error instanceof StartError ? error.message : errorText(error));
    process.exit(1);
  };
  // Without this handler Node would print every property of the error.
  process.on('uncaughtException', fail);
  try {
    running = await start();
  } catch (error) {
    // A start that waits for a server ends when the process is asked to stop.
    if (stopping) process.exit(0);
    fail(error);
  }
  if (stopping) {
    await running.stop();
    process.exit(0);
  }
  releaseStartMemory();
}
