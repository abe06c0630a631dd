import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { download } from './replies.ts';

let server: Server;
let ended: boolean;
let failed: unknown;
let listeners: number;

const PART = 'x'.repeat(100_000);

async function start(count: number): Promise<IncomingMessage> {
  [ended, failed, listeners] = [false, undefined, 0];
  async function* parts(res: NodeJS.EventEmitter) {
    try {
      for (let i = 0; i < count; i++) {
        yield PART;
        listeners = Math.max(listeners, res.listenerCount('close'), res.listenerCount('drain'));
      }
    } finally {
      ended = true;
    }
  }
  server = createServer((_req, res) => {
    Object.assign(res, { locals: { headers: {} } });
    const sent = download('text/csv', 'a.csv', parts(res)).send(res, () => ({}) as never);
    Promise.resolve(sent).catch((error) => {
      failed = error;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', () => {}));
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a long download arrives whole, and its pauses leave no listeners', async () => {
  const res = await start(400);
  let bytes = 0;
  for await (const part of res) bytes += part.length;
  expect(bytes).toBe(400 * PART.length);
  expect(listeners).toBeLessThan(10);
  expect(failed).toBeUndefined();
});

test('a client that leaves ends the parts', async () => {
  const res = await start(100_000);
  res.once('error', () => {});
  res.destroy();
  await vi.waitFor(() => expect(ended).toBe(true));
});
