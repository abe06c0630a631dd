// Runs Landfall as a separate process, as `npm start` does.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { freePorts } from '@landfall/local';
import { ANDROID, freshIp, type Sent, send } from '@landfall/testkit';
import { dataFolder, type ProductProcess, startProduct } from '@landfall/testkit/product';
import { expect } from 'vitest';
import { newDevice, post } from '../calls.ts';

/** Returns the output of a start that ends by itself, by default on a free port. */
export async function failedStart(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const [port] = await freePorts(1);
  const { child, ready, ended, stderr, stdout } = startProduct({ PORT: String(port), ...env });
  // If the process starts after all, it must not run for ever.
  ready.then(
    () => child.kill('SIGTERM'),
    () => {},
  );
  const { code } = await ended;
  return { code, said: stderr() + stdout() };
}

/** Landfall on a data folder of its own, which goes on after each end where the one before left it. */
export async function installation() {
  const folder = dataFolder();
  const [port = 0] = await freePorts(1);
  const processes: ProductProcess[] = [];
  /** The output of the first start. */
  const welcome = () => readWelcome(processes[0]!.stderr());

  async function start(more: Record<string, string> = {}): Promise<ProductProcess> {
    const started = startProduct({ LANDFALL_DATA: folder, ...(more.PORT_FILE ? {} : { PORT: String(port) }), ...more });
    processes.push(started);
    await started.ready;
    return started;
  }

  const api = (sent: Sent, ip = freshIp()) =>
    send(port, {
      ...sent,
      headers: {
        host: `localhost:${port}`,
        'x-forwarded-for': ip,
        'x-service-sdk-key': welcome().key,
        ...sent.headers,
      },
    });
  const tap = (url: string, ip = freshIp()) =>
    send(port, {
      path: new URL(url).pathname,
      headers: { host: new URL(url).host, 'x-forwarded-for': ip, 'user-agent': ANDROID },
    });
  const create = (destination: string) => api(post('/api/links/create-sdk', { destination }));

  /**
   * Sends a request over a connection that stays open. Resolves when the server has read the request and is working on
   * it.
   */
  async function underWay() {
    const shared = (await create('/under-way')).json.link;
    const ip = freshIp();
    const { body } = newDevice();
    // After two heartbeats the fingerprint belongs to several phones, so the restore waits for a third heartbeat.
    for (const _ of [1, 2]) await api(post('/api/deferred-deep-linking/install-heartbeat', body));
    await tap(shared.url, ip);
    const agent = new Agent({ keepAlive: true });
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      'x-service-sdk-key': welcome().key,
      expect: '100-continue',
    };
    const sent = request({ port, method: 'POST', path: '/api/deferred-deep-linking/restore', headers, agent });
    const answer = new Promise<number>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (res) => {
        res.resume();
        res.once('end', () => resolve(res.statusCode ?? 0));
      });
    });
    const socketEnded = new Promise<void>((resolve) =>
      sent.once('socket', (socket) => socket.once('close', () => resolve())),
    );
    await new Promise<void>((resolve) => {
      sent.once('continue', () => sent.end(JSON.stringify(body), () => resolve()));
      sent.flushHeaders();
    });
    return { answer, socketEnded };
  }

  const last = () => processes.at(-1)!;
  return { folder, port, welcome, start, last, api, tap, create, underWay, cleanUp: () => cleanUp(folder, processes) };
}

/** Returns the process id of the PostgreSQL server on the folder, or undefined when no server runs. */
export function postgresOf(folder: string): number | undefined {
  const file = path.join(folder, 'postgres/data/postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return isAlive(pid) ? pid : undefined;
}

/** Returns the ids of a process and of its child processes. */
export function processesBelow(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child]) => child!)];
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sends a signal to a process. Does nothing if the process has already ended: PostgreSQL starts and ends processes of
 * its own.
 */
export function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Removes what a failed test leaves: its processes, its PostgreSQL server and its folder. */
export async function cleanUp(folder: string, processes: readonly ProductProcess[] = []): Promise<void> {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  const postgres = postgresOf(folder);
  if (postgres) process.kill(postgres, 'SIGQUIT');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Checks that the output is one sentence for people, without a stack trace. */
export function expectSentence(said: string, pattern: RegExp): void {
  expect(said.trim().split('\n'), said).toHaveLength(1);
  expect(said).toMatch(pattern);
  expect(said.trim()).toMatch(/\.$/);
}

/** Returns the facts of the block that a start prints at its end. */
export function readWelcome(text: string) {
  const one = (pattern: RegExp) => pattern.exec(text)?.[1] ?? expect.unreachable(`${pattern} is not in ${text}`);
  const command = one(/(curl [\s\S]*?)\n\n/).replace(/\\\n\s*/g, '');
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name!, value!]);
  return {
    address: one(/Landfall is running at (\S+)/),
    docs: one(/Try the API +(\S+)/),
    appId: one(/Demo app +(\S+)/),
    link: one(/Its link +(\S+)/),
    key: one(/Its key +(\S+)/),
    curl: {
      method: /-X (\w+)/.exec(command)?.[1] ?? 'GET',
      url: /https?:\/\/\S+/.exec(command)![0],
      headers: Object.fromEntries(headers),
      body: /-d '([^']*)'/.exec(command)![1]!,
    },
  };
}
