import { expect, it } from 'vitest';
import { appLabel, isOpenHost, isOwnHost } from './hosts.ts';

const config = { LINK_DOMAIN: 'links.example:8080', PUBLIC_URL: 'https://api.example' };

it.each([
  ['demo.links.example', 'demo'],
  ['DEMO.links.example:8080', 'demo'],
  ['demo.links.example.', 'demo'],
  ['open-demo.links.example', 'demo'],
  ['go.shop.example', 'go.shop.example'],
  // Not an app's subdomain: an OAuth callback that the SDK hands on as a host.
  ['oauth', 'oauth.'],
])('%s is asked for as %s', (host, label) => {
  expect(appLabel(host, config)).toBe(label);
});

it.each(['api.example', 'API.example:443', 'links.example', 'localhost:8080', '127.0.0.1', '[::1]:8080'])(
  '%s is our own',
  (host) => {
    expect(isOwnHost(host, config)).toBe(true);
  },
);

it.each(['demo.links.example', 'go.shop.example', 'api.example.evil.test'])('%s is not our own', (host) => {
  expect(isOwnHost(host, config)).toBe(false);
});

it('knows open hosts', () => {
  expect(isOpenHost('Open-demo.links.example', config)).toBe(true);
  expect(isOpenHost('demo.links.example', config)).toBe(false);
  expect(isOpenHost('open-demo.elsewhere.example', config)).toBe(false);
});
