// Without Ryuk, a container ends when we do, in whatever way we end.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';

const LABEL = 'landfall.test.container';

export interface Watched {
  /** The label that the container must have. */
  labels: Record<string, string>;
  /** Removes the container now, also one that is still starting. */
  end(): void;
  /** The container is removed: nobody needs to watch. */
  nothingLeft(): void;
}

/** A shell waits for an input that ends with us, and then becomes a program that removes whatever has the label. */
export function endContainerWithUs(): Watched {
  const id = randomUUID();
  const remove = [process.execPath, path.join(import.meta.dirname, 'remove-containers.ts'), LABEL, id];
  // Detached: Ctrl-C reaches us alone, and tests may still need it while they end.
  const watcher = spawn('sh', ['-c', 'read -r _; exec "$@"', 'sh', ...remove], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  // Without a shell, an orderly stop must do.
  watcher.once('error', () => {});
  watcher.stdin.once('error', () => {});
  return {
    labels: { [LABEL]: id },
    end: () => void watcher.stdin.end(),
    nothingLeft: () => void watcher.kill('SIGKILL'),
  };
}
