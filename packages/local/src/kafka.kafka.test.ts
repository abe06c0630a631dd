import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { type LocalKafka, startKafka } from './kafka.ts';
import { kafkaAvailable } from './kafka-jars.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'landfall-kafka-test-'));
const started: LocalKafka[] = [];
afterEach(async () => {
  for (const kafka of started.splice(0)) await kafka.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Asks a broker which requests it supports, as every client does first. Returns the response's correlation id and
 * error.
 */
async function askVersions(broker: string): Promise<{ id: number; error: number }> {
  const [host, port] = broker.split(':');
  const socket = net.connect(Number(port), host);
  // Length, ApiVersions (18), version 0, correlation id, no client id.
  const request = Buffer.alloc(14);
  request.writeInt32BE(10, 0);
  request.writeInt16BE(18, 4);
  request.writeInt32BE(42, 8);
  request.writeInt16BE(-1, 12);
  try {
    socket.end(request);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return { id: answer.readInt32BE(4), error: answer.readInt16BE(8) };
  } finally {
    socket.destroy();
  }
}

const answered = { id: 42, error: 0 };
vi.setConfig({ testTimeout: 120_000 });

describeWithProgram(kafkaAvailable(), 'startKafka', () => {
  it('answers, is killed, and comes back on its data and port', async () => {
    const kafka = await startKafka({ dir: path.join(folder, 'kept') });
    started.push(kafka);
    const [broker = ''] = kafka.brokers;
    expect(await askVersions(broker)).toEqual(answered);
    const before = kafka.pid();
    const metadata = readFileSync(path.join(folder, 'kept/1/data/meta.properties'), 'utf8');

    await kafka.kill();
    expect(kafka.pid()).toBeUndefined();
    await expect(askVersions(broker)).rejects.toThrow('ECONNREFUSED');

    await kafka.restart();
    expect(await askVersions(broker)).toEqual(answered);
    expect(kafka.pid()).not.toBe(before);
    expect(readFileSync(path.join(folder, 'kept/1/data/meta.properties'), 'utf8')).toBe(metadata);
  });

  it('is silent while it is frozen, and leaves nothing behind', async () => {
    const kafka = await startKafka();
    started.push(kafka);
    const [broker = ''] = kafka.brokers;
    kafka.freeze();
    // The system accepts the connection, but the frozen broker does not read from it.
    const asked = askVersions(broker);
    // The system may deliver the signal to the process a little later.
    const state = () => readFileSync(`/proc/${kafka.pid()}/stat`, 'utf8');
    if (process.platform === 'linux') await expect.poll(state).toContain(') T ');
    kafka.thaw();
    expect(await asked).toEqual(answered);
    const pid = kafka.pid()!;
    kafka.freeze();
    await kafka.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('ends when the program that started it is killed, and its folder can be used at once', async () => {
    const dir = path.join(folder, 'orphan');
    const module = path.join(import.meta.dirname, 'kafka.ts');
    const script = `const { startKafka } = await import(${JSON.stringify(module)});
      await startKafka({ dir: ${JSON.stringify(dir)} });
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
    expect(existsSync(path.join(dir, '1/data/meta.properties'))).toBe(true);

    const kafka = await startKafka({ dir });
    started.push(kafka);
    expect(await askVersions(kafka.brokers[0]!)).toEqual(answered);
  });
});
