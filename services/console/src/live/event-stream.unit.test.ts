import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventStream, type StreamOutput } from './event-stream.ts';

let server: Server;
let output: StreamOutput;
let allowed: boolean;
let doubt: () => void;
let closed: number;
let error: unknown;

beforeEach(async () => {
  // Sockets need the other timers.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [allowed, closed, error] = [true, 0, undefined];
  server = createServer((_req, res) => {
    // As express and the first middleware leave it.
    Object.assign(res, { locals: { headers: {} } });
    res.once('error', (err) => {
      error = err;
    });
    const stream = eventStream((opened) => {
      output = opened;
      return () => closed++;
    });
    stream.send(res, () => ({
      check: async () => {
        if (!allowed) throw new Error('the right is lost');
      },
      watch(seen) {
        doubt = seen;
        return () => {};
      },
    }));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

const event = { id: '1', name: 'click', data: {} };

async function open(): Promise<{ res: IncomingMessage; text: () => string; ended: () => boolean }> {
  const { port } = server.address() as AddressInfo;
  const res = await new Promise<IncomingMessage>((resolve) => get({ port, agent: false }, resolve));
  let text = '';
  res.on('data', (part) => {
    text += part;
  });
  return { res, text: () => text, ended: () => res.readableEnded };
}

test('a right that ends without an event ends the stream with the next sign of life', async () => {
  const { text, ended } = await open();
  vi.advanceTimersByTime(15_000);
  await vi.waitFor(() => expect(text()).toContain(': alive'));
  expect(ended()).toBe(false);
  allowed = false;
  vi.advanceTimersByTime(15_000);
  await vi.waitFor(() => expect(ended()).toBe(true));
  await vi.waitFor(() => expect(closed).toBe(1));
});

test('a right in doubt is checked at once', async () => {
  const { ended } = await open();
  allowed = false;
  doubt();
  await vi.waitFor(() => expect(ended()).toBe(true));
});

test('a right that is lost while the stream opens ends it', async () => {
  allowed = false;
  const { ended } = await open();
  await vi.waitFor(() => expect(ended()).toBe(true));
});

test('events after the end are dropped, also while a slow client reads the rest', async () => {
  const { res, ended } = await open();
  res.pause();
  output.send([{ ...event, data: { long: 'x'.repeat(900_000) } }]);
  output.end();
  output.send([event]);
  res.resume();
  await vi.waitFor(() => expect(ended()).toBe(true));
  expect(error).toBeUndefined();
});
