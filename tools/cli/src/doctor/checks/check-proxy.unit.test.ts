import { describe, expect, it } from 'vitest';
import type { GatewayView } from '../facts/site.ts';
import { peopleFindings, probeFinding } from './check-proxy.ts';

const MARKER = '203.0.113.77';
const PROXY = '10.0.0.5';
const US = '198.51.100.9';
const NOBODY: GatewayView['people'] = { requests: 0, since: null, addresses: 0, forwarded: 0, mostFrequent: null };

interface Seen {
  peer?: string;
  trusted?: boolean;
  forwardedFor?: string | null;
  address?: string;
  trustProxy?: string;
  own?: string[];
}

function probe({ peer = PROXY, trusted = true, forwardedFor = `${MARKER}, ${US}`, address = US, ...more }: Seen) {
  const { trustProxy = 'loopback', own = ['127.0.0.1', '192.168.1.4'] } = more;
  const view: GatewayView = {
    instance: 'g1',
    version: '',
    node: '',
    now: '',
    limitsIn: 'memory',
    publicUrl: '',
    linkDomain: '',
    ipv6Host: null,
    trustProxy,
    hashSecret: { check: '', guessable: false },
    caller: { peer, trusted, forwardedFor, address, matchable: true },
    untrustedProxies: [],
    people: NOBODY,
  };
  const { state, says, remedy } = probeFinding({ url: 'https://api.test', marker: MARKER, own, view });
  return { state, text: `${says} → ${remedy}` };
}

describe('a made-up address on its way to the gateway', () => {
  it.each<[string, Seen, string, RegExp]>([
    ['all is well', {}, 'ok', /10\.0\.0\.5 is trusted/],
    ['well behind two proxies', { forwardedFor: `${MARKER}, ${US}, 10.0.0.6` }, 'ok', /is trusted/],
    ['a proxy that overwrites', { forwardedFor: US }, 'ok', /is trusted/],
    [
      'the proxy is not trusted',
      { trusted: false, address: PROXY },
      'fail',
      /10\.0\.0\.5 says who asks .* does not believe it.*→ Set TRUST_PROXY=loopback,10\.0\.0\.5 on every gateway \(now loopback\)/,
    ],
    ['nor one that overwrites', { trusted: false, address: PROXY, forwardedFor: US }, 'fail', /loopback,10\.0\.0\.5/],
    [
      'nor one with an address on the internet',
      { peer: '192.0.2.8', trusted: false, address: '192.0.2.8' },
      'fail',
      /TRUST_PROXY=loopback,192\.0\.2\.8/,
    ],
    [
      'no hop is trusted',
      { trusted: false, address: PROXY, trustProxy: '0' },
      'fail',
      /→ Set TRUST_PROXY=10\.0\.0\.5 on/,
    ],
    [
      'an inner proxy is not trusted',
      { forwardedFor: `${MARKER}, ${US}, 10.0.0.6`, address: '10.0.0.6' },
      'fail',
      /another one at 10\.0\.0\.6 .*TRUST_PROXY=loopback,10\.0\.0\.6/,
    ],
    ['too many hops are trusted', { address: MARKER, trustProxy: '2' }, 'fail', /believes what a client.*set it to 1,/],
    [
      'too many hops are trusted, seen from inside',
      { address: MARKER, forwardedFor: `${MARKER}, 192.168.1.4`, trustProxy: '3' },
      'fail',
      /set it to 1,/,
    ],
    [
      'strangers are trusted',
      { address: MARKER, trustProxy: '0.0.0.0/0' },
      'fail',
      /trusts addresses that strangers have/,
    ],
    [
      'we are trusted ourselves',
      { address: MARKER, forwardedFor: `${MARKER}, 192.168.1.4`, trustProxy: 'uniquelocal' },
      'ok',
      /this machine \(192\.168\.1\.4\) is trusted as well/,
    ],
    [
      'the header is taken away',
      { forwardedFor: null, address: PROXY },
      'fail',
      /takes X-Forwarded-For away.*proxy_set_header/,
    ],
    [
      'it is passed on as it came',
      { forwardedFor: MARKER, address: MARKER },
      'fail',
      /passes X-Forwarded-For on as the client wrote it/,
    ],
    [
      'somebody only rewrites addresses',
      { forwardedFor: MARKER, trusted: false, address: PROXY },
      'warn',
      /adds no X-Forwarded-For.*NAT/,
    ],
    ['there is a port in it', { forwardedFor: `${MARKER}:80, ${US}:4711`, address: US }, 'ok', /says who asks/],
    [
      'its own address has a port',
      { forwardedFor: `${MARKER}, 10.9.9.9:1`, address: '10.9.9.9' },
      'ok',
      /says who asks/,
    ],
    ['it hides who asks', { forwardedFor: `${MARKER}, unknown`, address: 'unknown' }, 'fail', /"unknown".*no address/],
    ['there is no proxy', { peer: '127.0.0.1', forwardedFor: MARKER, address: MARKER }, 'ok', /without a proxy/],
    ['nor on our own address', { peer: '192.168.1.4', trusted: false, forwardedFor: MARKER }, 'ok', /without a proxy/],
    [
      'nor on the internet',
      { peer: US, trusted: false, forwardedFor: MARKER, address: US },
      'ok',
      /no proxy in between, and what a client claims itself is not believed/,
    ],
  ])('%s', (_, seen, state, text) => {
    expect(probe(seen)).toEqual({ state, text: expect.stringMatching(text) });
  });
});

describe('the last taps and starts of apps', () => {
  const people = (requests: number, most: number, address: string | null, forwarded = 0) =>
    peopleFindings({
      instance: 'g1',
      trustProxy: 'loopback',
      untrustedProxies: [],
      people: {
        ...NOBODY,
        requests,
        addresses: 1 + requests - most,
        forwarded,
        mostFrequent: { requests: most, address },
      },
    });

  it.each<[string, [number, number, string | null, number?], string | undefined]>([
    ['too few to tell', [49, 49, PROXY], undefined],
    ['many people', [1000, 120, PROXY], undefined],
    ['one proxy that says nothing', [1000, 990, PROXY], 'fail'],
    ['one that says so, behind another', [1000, 1000, PROXY, 1000], 'fail'],
    ['somebody who tries, on this machine', [100, 100, '127.0.0.1'], 'warn'],
    ['one address on the internet', [1000, 950, null], 'warn'],
  ])('%s', (_, [requests, most, address, forwarded], state) => {
    expect(people(requests, most, address, forwarded)[0]?.state).toBe(state);
  });

  it('tell what a proxy without the header needs, and one with it', () => {
    expect(people(1000, 990, PROXY)[0]!.remedy).toContain('proxy_set_header');
    expect(people(1000, 990, PROXY, 990)[0]!.remedy).toContain('TRUST_PROXY');
  });

  it('are no matter where the gateway knows the proxy that it does not trust', () => {
    const found = peopleFindings({ instance: 'g1', trustProxy: '1', untrustedProxies: [PROXY], people: NOBODY });
    expect(found).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('TRUST_PROXY=10.0.0.5 on') }]);
  });
});
