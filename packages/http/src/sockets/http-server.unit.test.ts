import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { inTurn } from './http-server.ts';

let server: Server;
let client: Socket;
let started: string[];
let waiting: ServerResponse[];

async function send(...requests: string[]): Promise<void> {
  started = [];
  waiting = [];
  server = createServer(
    inTurn(async (req, res) => {
      started.push(`${req.method} ${req.url} ${await text(req)}`);
      waiting.push(res);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(requests.join(''));
}
afterEach(() => {
  client.destroy();
  server.close();
});
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const answer = (body: string | Buffer) => waiting.shift()!.end(body);

test('requests that are sent at once start one after the other, and are answered in order', async () => {
  await send(get('/1'), post('/2', 'two'), get('/3'));
  let received = '';
  client.on('data', (data) => {
    received += data;
  });
  for (const [at, line] of ['GET /1 ', 'POST /2 two', 'GET /3 '].entries()) {
    await vi.waitFor(() => expect(started[at]).toBe(line));
    expect(started).toHaveLength(at + 1);
    answer(`answer ${at + 1}`);
  }
  await vi.waitFor(() => expect(received.match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']));
});

test('a request behind an answer that nobody reads does not start, and never when the client leaves', async () => {
  await send(get('/1'), get('/2'));
  client.pause();
  await vi.waitFor(() => expect(started).toEqual(['GET /1 ']));
  const { socket } = waiting[0]!;
  // More than the operating system keeps for a client.
  answer(Buffer.alloc(32_000_000));
  client.destroy();
  await vi.waitFor(() => expect(socket?.destroyed ?? true).toBe(true));
  expect(started).toEqual(['GET /1 ']);
});
