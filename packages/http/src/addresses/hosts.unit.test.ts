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

/** `own`: the API's own name, or an address. `ours`: given to apps by the installation, or its own. `api`: serves the API. */
it.each([
  ['api.example', 'own, ours, api'],
  ['API.example.:443', 'own, ours, api'],
  ['localhost:8080', 'own, ours, api'],
  ['landfall.shop.svc', 'own, ours, api'],
  ['127.0.0.1:8080', 'own, ours, api'],
  ['[::1]:8080', 'own, ours, api'],
  ['10.0.0.5', 'own, ours'],
  ['[2001:db8::1]', 'own, ours'],
  ['links.example', 'own, ours'],
  ['demo.links.example', 'ours'],
  ['any.thing.LINKS.example.', 'ours'],
  ['morelinks.example', ''],
  ['go.shop.example', ''],
  ['demo.localhost', ''],
  ['api.example.evil.test', ''],
  ['127.0.0.1.evil.test', ''],
])('%s is %s', (host, expected) => {
  const kinds = [hosts.isOwn(host) && 'own', hosts.isOurs(host) && 'ours', hosts.isApi(host) && 'api'];
  expect(kinds.filter(Boolean).join(', ')).toBe(expected);
});

it('knows open hosts', () => {
  expect(hosts.isOpen('Open-demo.links.example')).toBe(true);
  expect(hosts.isOpen('demo.links.example')).toBe(false);
  expect(hosts.isOpen('open-demo.elsewhere.example')).toBe(false);
});

it('serves the API under every address while it is plain http', () => {
  const plain = createHosts({ ...config, PUBLIC_URL: 'http://localhost:8080' });
  for (const host of ['10.0.0.5:8080', '[2001:db8::1]']) expect(plain.isApi(host)).toBe(true);
  expect(plain.isApi('demo.links.example')).toBe(false);
});
