import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { boundConnections, type ConnectionsOptions } from './connections.ts';

let server: Server;
const sockets: Socket[] = [];
let refused: number;

/** More than the operating system keeps for a client. */
const LONG = Buffer.alloc(16_000_000);

async function start(options: Partial<ConnectionsOptions>): Promise<void> {
  refused = 0;
  server = createServer((req, res) => {
    if (req.url === '/long') res.end(LONG);
    else if (req.url === '/waits') setTimeout(() => res.end('late'), 900);
    else res.end('short');
  });
  boundConnections(server, { countedFor: () => [], stuckMs: 300, onRefused: () => refused++, ...options });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

function open(sent = ''): { socket: Socket; closed: () => boolean; received: () => number } {
  let closed = false;
  let bytes = 0;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.once('close', () => {
    closed = true;
  });
  socket.on('data', (data) => {
    bytes += data.length;
  });
  if (sent !== '') socket.write(sent);
  return { socket, closed: () => closed, received: () => bytes };
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const openAtServer = () =>
  new Promise<number>((resolve, reject) => server.getConnections((err, n) => (err ? reject(err) : resolve(n))));

test.each([
  ['one long answer', get('/long')],
  ['pipelined requests', get('/long').repeat(60)],
])('a client that reads nothing of %s is ended', async (_, sent) => {
  await start({});
  open(sent).socket.pause();
  await vi.waitFor(async () => expect(await openAtServer()).toBe(1));
  await vi.waitFor(async () => expect(await openAtServer()).toBe(0), { timeout: 5_000 });
});

test('a client that sends on and reads nothing is ended', async () => {
  await start({});
  const { socket } = open(get('/long'));
  socket.pause();
  const sends = setInterval(() => socket.write(get('/')), 50);
  await vi.waitFor(async () => expect(await openAtServer()).toBe(1));
  await vi.waitFor(async () => expect(await openAtServer()).toBe(0), { timeout: 5_000 });
  clearInterval(sends);
});

test('a client that reads slowly gets all, and one that waits for its answer, or for nothing, stays', async () => {
  await start({});
  const slow = open(get('/long'));
  const turns = setInterval(() => (slow.socket.isPaused() ? slow.socket.resume() : slow.socket.pause()), 60);
  const waits = open(get('/waits'));
  const idle = open();
  await vi.waitFor(() => expect(waits.received()).toBeGreaterThan(0), { timeout: 5_000 });
  await vi.waitFor(() => expect(slow.received()).toBeGreaterThan(LONG.length), { timeout: 10_000 });
  clearInterval(turns);
  expect([slow, waits, idle].map(({ closed }) => closed())).toEqual([false, false, false]);
});

test('a further connection of an address is closed, and counts no more when it has ended', async () => {
  await start({ countedFor: (peer) => [{ name: peer, max: 2 }] });
  const first = open();
  const second = open();
  await vi.waitFor(async () => expect(await openAtServer()).toBe(2));
  const third = open();
  await vi.waitFor(() => expect(third.closed()).toBe(true));
  expect(refused).toBe(1);
  first.socket.destroy();
  await vi.waitFor(async () => expect(await openAtServer()).toBe(1));
  const fourth = open(get('/'));
  await vi.waitFor(() => expect(fourth.received()).toBeGreaterThan(0));
  expect([second.closed(), fourth.closed(), refused]).toEqual([false, false, 1]);
});
