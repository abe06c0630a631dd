import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublic } from '../../addresses/address.ts';
import { getFile, MOST_BYTES } from './get-file.ts';

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url === '/moved') res.writeHead(301, { location: '/file' }).end();
    else if (req.url === '/large') res.end('x'.repeat(MOST_BYTES + 1));
    else res.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const own = { publicOnly: false };

describe('a file', () => {
  it('is got with its status and type, and no redirect is followed', async () => {
    expect(await getFile(`${origin}/file`, own)).toEqual({ status: 200, type: 'application/json', text: '{"a":1}' });
    expect((await getFile(`${origin}/moved`, own)).status).toBe(301);
  });

  it('is bounded', async () => {
    await expect(getFile(`${origin}/large`, own)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('of other people comes from no address inside the network', async () => {
    await expect(getFile(`${origin}/file`, { publicOnly: true })).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  });
});

it.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:10.0.0.1', false],
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});
