// Starts the server of `hello.ts`, the reference for all comparisons.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endProcess } from '@landfall/local';
import { cpuSeconds } from './processes.ts';

export type Hello = Awaited<ReturnType<typeof startHello>>;

export async function startHello() {
  const child = fork(path.join(import.meta.dirname, 'hello.ts'));
  const [port] = (await once(child, 'message')) as [number];
  const ask = {
    request: `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
    status: 200,
    contains: '\r\n\r\nhello',
  };
  return {
    port,
    asks: () => ask,
    cpuSeconds: () => cpuSeconds(child.pid!),
    stop: () => endProcess(child, 'SIGTERM', 10_000),
  };
}
