import { expect, it } from 'vitest';
import { hostOf, settleHost } from './request-host.ts';

function asked(url: string, hosts: string[], httpVersion = '1.1') {
  const headers: Record<string, string> = { 'x-forwarded-host': 'evil.example' };
  if (hosts[0] !== undefined) headers.host = hosts[0];
  return { url, httpVersion, headers, rawHeaders: ['Accept', '*/*', ...hosts.flatMap((host) => ['Host', host])] };
}

it.each([
  [asked('/a', ['shop.example']), 'shop.example', '/a'],
  [asked('/a', ['[::1]:8080']), '[::1]:8080', '/a'],
  [asked('/a', ['']), 'own.example', '/a'],
  [asked('/a', [], '1.0'), 'own.example', '/a'],
  [asked('http://shop.example/a?b=//c', ['SHOP.example']), 'shop.example', '/a?b=//c'],
  [asked('HTTPS://shop.example:8443?b', ['shop.example:8443']), 'shop.example:8443', '/?b'],
  [asked('http://shop.example', [], '1.0'), 'shop.example', '/'],
  [asked('*', ['shop.example']), 'shop.example', '*'],
])('%j is for %s', (req, host, url) => {
  expect(settleHost(req, 'own.example')).toBeNull();
  expect([hostOf(req), req.url]).toEqual([host, url]);
});

it.each([
  asked('/a', []),
  asked('/a', ['shop.example', 'evil.example']),
  asked('/a', ['shop.example', 'shop.example']),
  asked('/a', ['shop.example, evil.example']),
  asked('/a', ['shop.example/x']),
  asked('/a', ['user@shop.example']),
  asked('/a', ['shop.example:80:80']),
  asked('http://evil.example/a', ['shop.example']),
  asked('http://shop.example:81/a', ['shop.example']),
  asked('http:///a', ['shop.example']),
  asked('ftp://shop.example/a', ['shop.example']),
  asked('shop.example/a', ['shop.example']),
])('%j is invalid', (req) => {
  expect(settleHost(req, 'own.example')).toMatch(/^(?:must|is)/);
});
