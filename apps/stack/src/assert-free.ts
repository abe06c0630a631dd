// Checks that the ports of the stack are free before anything starts. A port in use is the most common reason why a start
// must be repeated.
import { createServer } from 'node:net';
import { StartError } from '@landfall/runtime';

/** Throws a StartError with a message that names the first port in use. */
export async function assertFree(ports: readonly number[]): Promise<void> {
  for (const port of ports) if (!(await isFree(port))) throw taken(port);
}

/** Tries the port on every address, because all of them are listened on at every address. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      // Whoever listens reports any other fault.
      resolve(error.code !== 'EADDRINUSE');
    });
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}

const taken = (port: number) =>
  new StartError(
    `Port ${port} is taken: stop the program that uses it, or set PORT to the first of as many free ones as there are gateways and consoles, and one more.`,
  );
