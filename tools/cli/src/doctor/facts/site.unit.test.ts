import { expect, it } from 'vitest';
import type { Get } from './get.ts';
import { readSetup } from './setup.ts';
import { type GatewayView, lookAtSite } from './site.ts';

const viewOf = (instance: string): GatewayView => ({
  instance,
  version: '0.1.0',
  node: '24',
  now: '2026-11-30T00:00:00.000Z',
  publicUrl: 'https://api.test',
  linkDomain: 'links.test',
  ipv6Host: null,
  trustProxy: 'loopback',
  limitsIn: 'redis',
  hashSecret: { check: '', guessable: false },
  caller: { peer: '10.0.0.5', trusted: true, forwardedFor: null, address: '198.51.100.9', matchable: true },
  untrustedProxies: [],
  people: { requests: 0, since: null, addresses: 0, forwarded: 0, mostFrequent: null },
});

it('finds a gateway behind the front, though another one answers all requests of the first round', async () => {
  const env = { KAFKA_BROKERS: 'broker:9092', PUBLIC_URL: 'https://api.test', OWNER_TOKEN: 'an owner token' };
  let views = 0;
  const bodyOf = (path: string) => {
    if (path === '/livez') return { status: 'alive' };
    // One request looks at the front, and eight are a round.
    if (path === '/api/manage/gateway') return { gateway: viewOf(++views <= 9 ? 'gateway-1' : 'gateway-2') };
    return path === '/readyz' ? { checks: {} } : { apps: [] };
  };
  const get: Get = async (url) => {
    const body = JSON.stringify(bodyOf(new URL(url).pathname));
    return { status: 200, headers: {}, body, bytes: body.length, sentAt: 0, gotAt: 0, validTo: null };
  };
  const { doors } = await lookAtSite({ setup: readSetup(env), names: {} as never, get, storedApps: undefined });
  expect(doors.map(({ view }) => view?.instance)).toEqual(['gateway-1', 'gateway-2']);
});
