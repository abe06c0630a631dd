// Needs a Docker engine with the image of Redis, or one that can pull it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeWithProgram } from '../scale-out.ts';
import { startContainer } from './containers.ts';
import { engine, NoImage, needImage, noEngine, within } from './engine.ts';

// The engine may be busy; Ryuk waits for ten seconds before it removes anything.
vi.setConfig({ testTimeout: 120_000 });

describeWithProgram(await noEngine(), 'a container', () => {
  it('serves at its address, and is gone when it is stopped', async () => {
    const redis = await startContainer('redis');
    expect(await ping(redis.address)).toBe('+PONG\r\n');
    await redis.stop();
    await expect(ping(redis.address)).rejects.toThrow('ECONNREFUSED');
  });

  it('is removed when the program that started it is killed', async () => {
    const script = `const { startContainer } = await import(${JSON.stringify(path.join(import.meta.dirname, 'containers.ts'))});
      const { address } = await startContainer('redis');
      process.stdout.write(address, () => process.kill(process.pid, 'SIGKILL'));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let address = '';
    child.stdout.on('data', (text: Buffer) => {
      address += text;
    });
    expect((await once(child, 'close'))[1]).toBe('SIGKILL');
    expect(address).toMatch(/^redis:/);
    await expect
      .poll(() => ping(address).catch((error: Error) => error.message), { timeout: 60_000, interval: 100 })
      .toContain('ECONNREFUSED');
  });

  it('of an image that is not to be had is refused with a sentence that names it', async () => {
    const refused = await needImage(await engine(), 'registry.invalid/nothing:1').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NoImage);
    expect((refused as Error).message).toMatch(
      /^The Docker engine has no image registry\.invalid\/nothing:1, and could not pull it \(.+\): have it there, e\.g\. by docker pull registry\.invalid\/nothing:1\.$/,
    );
  });
});

it('waits no longer than it was told', async () => {
  await expect(within(1, new Promise(() => {}), 'It takes too long.')).rejects.toThrow('It takes too long.');
  expect(await within(60_000, Promise.resolve(1), 'It takes too long.')).toBe(1);
});

/** The answer of the Redis at the address to a ping. */
async function ping(address: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = net.connect(Number(port), hostname);
  try {
    socket.write('PING\r\n');
    return String((await once(socket, 'data'))[0]);
  } finally {
    socket.destroy();
  }
}
