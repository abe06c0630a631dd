import { createServer } from 'node:net';
import { portTaken } from '@landfall/http';

/** Rejects with `taken` when somebody uses the port, on any address: the most common reason to start again. */
export function assertFree(port: number, taken: Error = portTaken(port)): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? taken : error));
    probe.listen(port, () => probe.close(() => resolve()));
  });
}
