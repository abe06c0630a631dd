import { StartError } from '@landfall/runtime';
import { describe, expect, it } from 'vitest';
import { terminalCode } from '../welcome.ts';
import { lanAddress, phoneAccess, startArguments } from './phone-access.ts';
import { openTunnel, type TunnelClient } from './tunnel.ts';

const at = (address: string, internal = false) => [{ address, family: 'IPv4' as const, internal }];
const home = { lo: at('127.0.0.1', true), docker0: at('172.17.0.1'), wlan0: at('192.168.1.20') };

describe('the arguments of npm start', () => {
  it('are --lan or --tunnel', () => {
    expect(startArguments([])).toBe('none');
    expect(startArguments(['--lan'])).toBe('lan');
    expect(startArguments(['--tunnel', '--tunnel'])).toBe('tunnel');
  });

  it('are refused by name', () => {
    expect(() => startArguments(['--tunel'])).toThrow(/does not know --tunel/);
    expect(() => startArguments(['--constructor'])).toThrow(StartError);
    expect(() => startArguments(['constructor'])).toThrow(StartError);
    expect(() => startArguments(['--lan', '--tunnel'])).toThrow(/Choose/);
  });
});

describe('the address in the local network', () => {
  it('is private, if there is one, and of no network inside the machine', () => {
    expect(lanAddress(home)).toBe('192.168.1.20');
    expect(lanAddress({ eth0: at('10.0.0.7'), wlan0: at('192.168.7.2') })).toBe('192.168.7.2');
    expect(lanAddress({ en0: at('172.20.10.2') })).toBe('172.20.10.2');
    expect(lanAddress({ docker0: at('172.17.0.1'), utun3: at('10.8.0.2') })).toBeNull();
    expect(lanAddress({ eth0: at('203.0.113.5'), eth1: at('10.0.0.7') })).toBe('10.0.0.7');
    expect(lanAddress({ eth0: at('169.254.3.4'), eth1: at('203.0.113.5') })).toBe('203.0.113.5');
    expect(lanAddress({ eth0: [{ address: 'fe80::1', family: 'IPv6', internal: false }] })).toBeNull();
  });

  it('becomes the host of the demo link', async () => {
    const options = { port: 8080, env: {}, authtoken: undefined, interfaces: home };
    expect(await phoneAccess('none', options)).toEqual({ env: {} });
    expect(await phoneAccess('lan', options)).toEqual({ env: { SIMULATED_APP_HOST: '192.168.1.20:8080' } });
    const env = { SIMULATED_APP_HOST: '10.1.1.1:8080' };
    expect(await phoneAccess('lan', { ...options, env })).toEqual({ env: {} });
  });

  it('is missed with a sentence', async () => {
    const options = { port: 8080, env: {}, authtoken: undefined, interfaces: {} };
    await expect(phoneAccess('lan', options)).rejects.toThrow(/found no address/);
    await expect(phoneAccess('lan', { ...options, port: 0 })).rejects.toThrow(/needs a fixed PORT/);
    const env = { PUBLIC_URL: 'https://api.example' };
    await expect(phoneAccess('lan', { ...options, env })).rejects.toThrow(/needs plain http/);
  });
});

/** Behaves as the README and the type definitions of `@ngrok/ngrok` 1.7.0 describe. */
function fakeNgrok(url: string | null = 'https://a1b2.ngrok-free.app') {
  const calls: string[] = [];
  const client: TunnelClient = {
    async forward({ addr, authtoken }) {
      calls.push(`forward ${addr}`);
      if (authtoken !== 'good') throw new Error(`failed to connect session:\n authentication failed: ${authtoken}`);
      return { url: () => url, close: async () => void calls.push('close') };
    },
  };
  return { calls, load: async () => client };
}

describe('the tunnel', () => {
  const options = { port: 8080, env: {}, authtoken: 'good' };

  it('gives its host to the API and to the demo link, and closes', async () => {
    const { calls, load } = fakeNgrok();
    const { env, tunnel } = await phoneAccess('tunnel', { ...options, load });
    expect(env).toEqual({
      PUBLIC_URL: 'https://a1b2.ngrok-free.app',
      SIMULATED_APP_HOST: 'a1b2.ngrok-free.app',
      TRUST_PROXY: 'loopback',
      ASSOCIATION_CHECKS: 'off',
    });
    await tunnel!.stop();
    expect(calls).toEqual(['forward 127.0.0.1:8080', 'close']);
  });

  it('needs a token, and never shows it', async () => {
    const { calls, load } = fakeNgrok();
    const without = phoneAccess('tunnel', { ...options, load, authtoken: undefined });
    await expect(without).rejects.toThrow(/set NGROK_AUTHTOKEN/);
    expect(calls).toEqual([]);
    const wrong = phoneAccess('tunnel', { ...options, load, authtoken: 'secret-token' });
    await expect(wrong).rejects.toThrow('The tunnel did not open: failed to connect session: authentication failed: …');
    await expect(wrong).rejects.toBeInstanceOf(StartError);
  });

  it('must have an https address', async () => {
    const { calls, load } = fakeNgrok(null);
    await expect(phoneAccess('tunnel', { ...options, load })).rejects.toThrow(/no https address/);
    expect(calls.at(-1)).toBe('close');
  });

  it('is given up after a while, and closed when it opens later', async () => {
    const opening = Promise.withResolvers<Awaited<ReturnType<TunnelClient['forward']>>>();
    const closed = Promise.withResolvers<void>();
    const load = async () => ({ forward: () => opening.promise });
    const opened = openTunnel({ port: 8080, authtoken: 'good', withinMs: 10, load });
    await expect(opened).rejects.toThrow(/did not answer within 0.01 seconds/);
    opening.resolve({ url: () => 'https://late.example', close: async () => closed.resolve() });
    await closed.promise;
  });

  it('sets what would contradict it', async () => {
    for (const name of ['PUBLIC_URL', 'TRUST_PROXY', 'SIMULATED_APP_HOST'])
      await expect(phoneAccess('tunnel', { ...options, env: { [name]: 'x' } })).rejects.toThrow(`take ${name} away`);
  });
});

describe('the code in the terminal', () => {
  it('has lines of one width, with colours where the terminal has them', () => {
    const lines = terminalCode('http://192.168.1.20:8080/1763737445000-abcdefghijkl', false);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines.join('')).toMatch(/^[█▀▄ ]+$/);
    expect(terminalCode('a', true)[0]).toContain('\u001b[');
  });
});
