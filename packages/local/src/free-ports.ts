// Ports of 127.0.0.1 that nobody has.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to outgoing connections: a server that is down for a moment must find its port free when it
 * comes back, and a client that tries it meanwhile must not by chance connect to itself.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 100;
/** Whoever was given one may not have taken it yet. */
const given = new Set<number>();

/** Each port is given once by this process. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count; attempt++) {
    if (attempt > ATTEMPTS * count) throw new Error('There is no free port on 127.0.0.1.');
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
