// Asks for the gateways' ports before anything starts: a taken one is the most common reason to start again.
import { createServer } from 'node:net';
import { StartError } from '@landfall/runtime';

/** Throws a StartError with a sentence that names the first port that somebody has. */
export async function assertFree(ports: readonly number[]): Promise<void> {
  for (const port of ports) if (!(await isFree(port))) throw taken(port);
}

/** On every address, as a gateway listens. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      // The gateway reports any other fault.
      resolve(error.code !== 'EADDRINUSE');
    });
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}

const taken = (port: number) =>
  new StartError(
    `Port ${port} is taken: stop the program that uses it, or set PORT to the first of as many free ones as there are gateways.`,
  );
