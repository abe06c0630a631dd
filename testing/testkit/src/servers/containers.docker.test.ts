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
    expect(await ask(redis.address, 'PING')).toBe('+PONG\r\n');
    await redis.stop();
    await expect(ask(redis.address, 'PING')).rejects.toThrow('ECONNREFUSED');
  });

  it('is removed when the program that started it is killed', async () => {
    const script = `const { startContainer } = await import(${JSON.stringify(path.join(import.meta.dirname, 'containers.ts'))});
      const { address } = await startContainer('redis');
      process.stdout.write(address);
      setInterval(() => {}, 60_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const address = String((await once(child.stdout, 'data'))[0]);
    const server = await runOf(address);
    child.kill('SIGKILL');
    // Another test may start a Redis at the same port as soon as it is free.
    await expect
      .poll(() => runOf(address).catch((error: Error) => error.message), { timeout: 60_000, interval: 100 })
      .not.toBe(server);
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

/** The first answer of the Redis at the address to a command. */
async function ask(address: string, command: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = net.connect(Number(port), hostname);
  try {
    socket.write(`${command}\r\n`);
    return String((await once(socket, 'data'))[0]);
  } finally {
    socket.destroy();
  }
}

/** The id that the Redis at the address gave to its own start. */
async function runOf(address: string): Promise<string> {
  const answer = await ask(address, 'INFO server');
  const id = /run_id:(\w{40})/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`The Redis at ${address} does not say its run_id: ${answer}`);
  return id;
}
