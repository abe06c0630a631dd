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

  it.each(['localhost', '127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])(
    'of other people comes from no address inside the network, as %s is',
    async (host) => {
      const { port } = new URL(origin);
      const got = getFile(`http://${host}:${port}/file`, { publicOnly: true });
      await expect(got).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
    },
  );
});

it.each([
  ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255'],
  ...['::1', 'fe80::1', 'fd00::1', 'ff02::1', '100::1', '2001:db8::1', '4000::1', 'fe80::1%eth0'],
  // With an IPv4 address inside.
  ...['::ffff:10.0.0.1', '::5db8:d822', '64:ff9b::5db8:d822', '64:ff9b:1::a00:1', '2002:a00:1::', '2001::f5ff:fffe'],
  ...['localhost', ''],
])('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false);
});

it.each(['93.184.216.34', '2606:2800:220:1::1'])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});
