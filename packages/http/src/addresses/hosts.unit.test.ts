import { expect, it } from 'vitest';
import { createHosts } from './hosts.ts';

const config = {
  LINK_DOMAIN: 'links.example:8080',
  PUBLIC_URL: 'https://api.example',
  API_HOSTS: ['landfall.shop.svc'],
};
const hosts = createHosts(config);

it.each([
  ['demo.links.example', 'demo'],
  ['DEMO.links.example:8080', 'demo'],
  ['demo.links.example.', 'demo'],
  ['open-demo.links.example', 'demo'],
  ['go.shop.example', 'go.shop.example'],
  // Not an app's subdomain: an OAuth callback that the SDK passes as a host.
  ['oauth', null],
  // No app's, even when an app has that domain or subdomain.
  ['login.bank.example.links.example', null],
  ['open-login.bank.example.links.example', null],
  ['demo..links.example', null],
  ['www.demo.links.example:8080', null],
  // A domain is stored in ASCII. Clients send it as they have it.
  ['b\u00fccher.example', 'xn--bcher-kva.example'],
  ['BU\u0308CHER.example.:443', 'xn--bcher-kva.example'],
  ['b%C3%BCcher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['\u65e5\u672c\u3002example', 'xn--wgv71a.example'],
  ['DEMO\uff0elinks.example', 'demo'],
])('looks up %s as %s', (host, label) => {
  expect(hosts.appLabel(host)).toBe(label);
});

it.each(['api.example', 'API.example:443', 'links.example', 'localhost:8080', '127.0.0.1', '[::1]:8080'])(
  '%s is our own',
  (host) => {
    expect(hosts.isOwn(host)).toBe(true);
  },
);

it.each(['demo.links.example', 'go.shop.example', 'api.example.evil.test'])('%s is not our own', (host) => {
  expect(hosts.isOwn(host)).toBe(false);
});

it.each([
  ['api.example', true],
  ['demo.links.example', true],
  ['any.thing.LINKS.example.', true],
  ['links.example', true],
  ['example', false],
  ['morelinks.example', false],
  ['go.shop.example', false],
])('decides for %s whether it is reserved: %s', (host, ours) => {
  expect(hosts.isOurs(host)).toBe(ours);
});

it('knows open hosts', () => {
  expect(hosts.isOpen('Open-demo.links.example')).toBe(true);
  expect(hosts.isOpen('demo.links.example')).toBe(false);
  expect(hosts.isOpen('open-demo.elsewhere.example')).toBe(false);
});

it.each([
  ['api.example', true],
  ['API.example.:443', true],
  ['localhost:8080', true],
  ['127.0.0.1:8080', true],
  ['[::1]', true],
  ['landfall.shop.svc', true],
  ['links.example', false],
  ['demo.links.example', false],
  ['go.shop.example', false],
  ['demo.localhost', false],
  ['api.example.evil.test', false],
  ['10.0.0.5', false],
  ['127.0.0.1.evil.test', false],
  ['[2001:db8::1]', false],
])('decides for %s whether the API is served there: %s', (host, served) => {
  expect(hosts.isApi(host)).toBe(served);
});

it('serves the API under every address while it is plain http', () => {
  const plain = createHosts({ ...config, PUBLIC_URL: 'http://localhost:8080' });
  for (const host of ['10.0.0.5:8080', '[2001:db8::1]']) expect(plain.isApi(host)).toBe(true);
  expect(plain.isApi('demo.links.example')).toBe(false);
});
