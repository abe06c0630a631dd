// The Docker engine, through testcontainers: whether it answers, whether it has an image, and who removes containers that are
// left behind. Every wait is bounded.
import pTimeout from 'p-timeout';
import type { ContainerRuntimeClient } from 'testcontainers';

/** In milliseconds. */
const ANSWER_MS = 10_000;
const PULL_MS = 300_000;

/** An image that the engine neither has nor can get. */
export class NoImage extends Error {}

/** Returns the reason why no container can be started, in a sentence; undefined when an engine answers. */
export async function noEngine(): Promise<string | undefined> {
  try {
    await engine();
  } catch (error) {
    return (error as Error).message;
  }
}

/** Throws with a sentence when none answers. */
export async function engine(): Promise<ContainerRuntimeClient> {
  // Loaded only here: it takes a quarter of a second, and most runs need no engine.
  const { getContainerRuntimeClient } = await import('testcontainers');
  const where = process.env.DOCKER_HOST ? ` at ${process.env.DOCKER_HOST} or where engines usually are` : '';
  const silent = `No Docker engine answers${where}: start one, or name one in DOCKER_HOST.`;
  const client = getContainerRuntimeClient().catch((cause) => {
    throw new Error(silent, { cause });
  });
  return await within(ANSWER_MS, client, silent);
}

/** Pulls the image if it is not there, within five minutes. Throws {@link NoImage}, with a sentence that says what to have. */
export async function needImage({ image: images }: ContainerRuntimeClient, image: string): Promise<void> {
  const { ImageName } = await import('testcontainers');
  const name = ImageName.fromString(image);
  const missing = (why: string) =>
    new NoImage(
      `The Docker engine has no image ${name.string}, and could not pull it (${why}): have it there, e.g. by docker pull ${name.string}.`,
    );
  if (await within(ANSWER_MS, images.exists(name), 'The Docker engine does not say which images it has.')) return;
  const pulled = images.pull(name).catch((error: Error) => {
    throw missing(oneLine(error.message));
  });
  await within(PULL_MS, pulled, missing(`it took longer than ${PULL_MS / 1000} s`));
  // A pull that fails on its way says nothing of it.
  if (!(await images.exists(name))) throw missing('it broke off');
}

/**
 * True when testcontainers' own cleaner, Ryuk, removes the leftovers of this process. If TESTCONTAINERS_RYUK_DISABLED
 * is set, or its image is not available, nobody does.
 */
export async function ryukRuns(client: ContainerRuntimeClient): Promise<boolean> {
  const { getReaper } = await import('testcontainers');
  try {
    const reaper = await within(PULL_MS, getReaper(client), 'Ryuk does not start.');
    return reaper.containerId !== '';
  } catch {
    // Or every container would ask for it again.
    process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
    return false;
  }
}

/** Rejects with the message when the promise takes longer. */
export const within = <T>(milliseconds: number, promise: Promise<T>, message: string | Error): Promise<T> =>
  pTimeout(promise, { milliseconds, message });

export const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
