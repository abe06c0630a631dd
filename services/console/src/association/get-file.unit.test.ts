import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPublic } from '@landfall/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it.each([
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ])('of other people comes from no address inside the network, as %s is', async (host) => {
    const { port } = new URL(origin);
    const got = getFile(`http://${host}:${port}/file`, { publicOnly: true });
    await expect(got).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
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
  ['::7f00:1', false],
  ['::5db8:d822', false],
  ['64:ff9b::5db8:d822', false],
  ['64:ff9b:1::a00:1', false],
  ['2002:a00:1::', false],
  ['2001:0:0:0:0:0:f5ff:fffe', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['100::1', false],
  ['2001:db8::1', false],
  ['4000::1', false],
  ['fe80::1%eth0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['240.0.0.1', false],
  ['192.0.2.1', false],
  ['198.18.0.1', false],
  ['localhost', false],
  ['', false],
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});
