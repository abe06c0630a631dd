// A worker that is up before its servers: after a restart of a whole machine, or of all containers.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { freePorts, systemEnv } from '@landfall/local';
import { describeScaledOut, send } from '@landfall/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const LINK = path.resolve(import.meta.dirname, '../../../services/link/src/main.ts');

describeScaledOut('a worker', (brokers) => {
  let own: TestDatabase;
  const children: ChildProcess[] = [];
  const doors: net.Server[] = [];
  beforeAll(async () => {
    own = await createTestDatabase(inject('databaseServerUrl'));
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const door of doors) door.close();
    await own?.drop();
  });

  /** Starts the link service against ports of this machine. */
  function start(databasePort: number, kafkaPort: number, metricsPort: number) {
    const url = new URL(own.url);
    url.port = `${databasePort}`;
    const child = spawn(process.execPath, [LINK], {
      env: {
        ...systemEnv(),
        DATABASE_URL: url.href,
        KAFKA_BROKERS: `127.0.0.1:${kafkaPort}`,
        KAFKA_PREFIX: `late-${randomBytes(4).toString('hex')}.`,
        METRICS_PORT: `${metricsPort}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const started = { child, said: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        started.said += text;
      });
    return started;
  }

  /** Lets connections through to a server, from now on. */
  async function open(port: number, to: { host: string; port: number }): Promise<void> {
    const door = net.createServer((socket) => {
      const inner = net.connect(to);
      socket.pipe(inner).pipe(socket);
      for (const end of [socket, inner]) end.on('error', () => end.destroy());
    });
    doors.push(door);
    door.listen(port, '127.0.0.1');
    await once(door, 'listening');
  }

  it('waits for PostgreSQL, then for Kafka, and becomes ready without a new start', async () => {
    const [databasePort = 0, kafkaPort = 0, metricsPort = 0] = await freePorts(3);
    const worker = start(databasePort, kafkaPort, metricsPort);
    await expect.poll(() => worker.said, { timeout: 20_000 }).toContain('PostgreSQL at');
    const { hostname: host, port } = new URL(own.url);
    expect((await send(metricsPort, { path: '/livez' })).status).toBe(200);
    expect((await send(metricsPort, { path: '/readyz' })).status).toBe(503);
    await open(databasePort, { host, port: Number(port) });
    await expect.poll(() => worker.said, { timeout: 20_000 }).toContain(`Kafka at 127.0.0.1:${kafkaPort}`);
    const [broker = ''] = brokers;
    const [brokerHost = '', brokerPort = ''] = broker.split(':');
    await open(kafkaPort, { host: brokerHost, port: Number(brokerPort) });
    const ready = async () => (await send(metricsPort, { path: '/readyz' })).status;
    await expect.poll(ready, { timeout: 30_000 }).toBe(200);
    expect(worker.child.exitCode).toBeNull();
    // Lines of the log, and no stack.
    expect(worker.said).not.toMatch(/^ +at /m);
    worker.child.kill('SIGTERM');
    expect(await once(worker.child, 'close')).toEqual([0, null]);
  });

  it('ends at once when it is asked to, while it waits', async () => {
    const [databasePort = 0, kafkaPort = 0, metricsPort = 0] = await freePorts(3);
    const worker = start(databasePort, kafkaPort, metricsPort);
    await expect.poll(() => worker.said, { timeout: 20_000 }).toContain('does not answer yet');
    worker.child.kill('SIGTERM');
    expect(await once(worker.child, 'close')).toEqual([0, null]);
  });
});
