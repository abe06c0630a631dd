// Starts the server of `hello.ts`, the reference for all comparisons.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endProcess } from '@landfall/local';
import type { Ask } from '../load/load.ts';
import { cpuSeconds } from './processes.ts';

export type Hello = Awaited<ReturnType<typeof startHello>>;

export async function startHello() {
  const child = fork(path.join(import.meta.dirname, 'hello.ts'));
  const [port] = (await once(child, 'message')) as [number];
  const ask: Ask = { request: { method: 'GET', path: '/' }, status: 200, contains: 'hello' };
  return {
    port,
    asks: () => ask,
    cpuSeconds: () => cpuSeconds(child.pid!),
    stop: () => endProcess(child, 'SIGTERM', 10_000),
  };
}
