// Gives a phone a way to the demo app: settings of the gateway, and a tunnel.
import { networkInterfaces } from 'node:os';
import { type Running, StartError } from '@landfall/runtime';
import { lanAddress } from './lan-address.ts';
import type { Reach } from './start-arguments.ts';
import { openTunnel, type TunnelOptions } from './tunnel.ts';

export interface PhoneAccess {
  /** Settings of the gateway that replace those of the environment. */
  env: Record<string, string>;
  /** The tunnel, which must be stopped. */
  tunnel?: Running;
}

export interface PhoneOptions {
  port: number;
  env: NodeJS.ProcessEnv;
  authtoken: string | undefined;
  interfaces?: Parameters<typeof lanAddress>[0];
  load?: TunnelOptions['load'];
}

/** @throws StartError when there is no way, or when a setting contradicts it */
export async function phoneAccess(reach: Reach, options: PhoneOptions): Promise<PhoneAccess> {
  if (reach === 'none') return { env: {} };
  if (options.port === 0) throw new StartError(`--${reach} needs a fixed PORT.`);
  return reach === 'lan' ? inNetwork(options) : throughTunnel(options);
}

function inNetwork({ port, env, interfaces = networkInterfaces() }: PhoneOptions): PhoneAccess {
  if (env.PUBLIC_URL?.startsWith('https:'))
    throw new StartError('--lan needs plain http, and PUBLIC_URL is https: take PUBLIC_URL away.');
  if (env.SIMULATED_APP_HOST) return { env: {} };
  const address = lanAddress(interfaces);
  if (address === null)
    throw new StartError(
      '--lan found no address of a local network on this machine: connect it to the network of the phone, or set SIMULATED_APP_HOST=<address>:<port>, or use --tunnel.',
    );
  return { env: { SIMULATED_APP_HOST: `${address}:${port}` } };
}

/** Settings that would contradict the tunnel. */
const OF_A_PROXY = ['PUBLIC_URL', 'TRUST_PROXY', 'SIMULATED_APP_HOST'] as const;

async function throughTunnel({ port, env, authtoken, load }: PhoneOptions): Promise<PhoneAccess> {
  const set = OF_A_PROXY.find((name) => env[name]);
  if (set !== undefined) throw new StartError(`--tunnel sets ${set} itself: take ${set} away.`);
  const tunnel = await openTunnel({ port, authtoken, ...(load && { load }) });
  return {
    env: {
      PUBLIC_URL: tunnel.url,
      SIMULATED_APP_HOST: new URL(tunnel.url).host,
      // The client of the tunnel runs in this process, so its connections come from this machine.
      TRUST_PROXY: 'loopback',
      // The other link hosts are below `localhost`, where Apple and Google find nothing.
      ASSOCIATION_CHECKS: env.ASSOCIATION_CHECKS ?? 'off',
    },
    tunnel,
  };
}
