// Checks that a port is free before anything starts: a port in use is the most common reason to start again.
import { createServer } from 'node:net';
import { portTaken } from '@landfall/http';

/** Tries the port on every address. Rejects with `taken` when somebody uses it. */
export function assertFree(port: number, taken: Error = portTaken(port)): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? taken : error));
    probe.listen(port, () => probe.close(() => resolve()));
  });
}
