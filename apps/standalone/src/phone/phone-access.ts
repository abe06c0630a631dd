import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { type Running, StartError } from '@landfall/runtime';
import { openTunnel, type TunnelOptions } from './tunnel.ts';

export type Reach = 'none' | 'lan' | 'tunnel';

const known = new Map<string, Reach>([
  ['--lan', 'lan'],
  ['--tunnel', 'tunnel'],
]);

/** @throws StartError for an unknown argument, and for both at once */
export function startArguments(args: readonly string[]): Reach {
  const wrong = args.find((arg) => !known.has(arg));
  if (wrong !== undefined)
    throw new StartError(`npm start does not know ${wrong}. It takes --lan or --tunnel: npm start -- --lan`);
  const reaches = new Set(args.map((arg) => known.get(arg)!));
  if (reaches.size > 1) throw new StartError('Choose --lan or --tunnel: the demo link has one host for phones.');
  return [...reaches][0] ?? 'none';
}

interface PhoneAccess {
  /** Settings of the gateway that replace those of the environment. */
  env: Record<string, string>;
  tunnel?: Running;
}

interface PhoneOptions {
  port: number;
  env: NodeJS.ProcessEnv;
  authtoken: string | undefined;
  interfaces?: Interfaces;
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

const OF_A_PROXY = ['PUBLIC_URL', 'TRUST_PROXY', 'SIMULATED_APP_HOST'] as const;

async function throughTunnel({ port, env, authtoken, load }: PhoneOptions): Promise<PhoneAccess> {
  const set = OF_A_PROXY.find((name) => env[name]);
  if (set !== undefined) throw new StartError(`--tunnel sets ${set} itself: take ${set} away.`);
  const tunnel = await openTunnel({ port, authtoken, load });
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

type Interfaces = NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[]>;

/** Networks inside this machine, and VPNs. A phone does not reach them. */
const VIRTUAL =
  /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vethernet|cni|flannel|utun|tun|tap|wg|tailscale|zt|lxc|podman)/i;

/** The ranges of RFC 1918 first. Home networks mostly have the first one. 169.254 is no network. */
const BEST_FIRST = [/^192\.168\./, /^10\./, /^172\.(?:1[6-9]|2\d|3[01])\./, /^(?!169\.254\.)/];

/** Returns an IPv4 address, a private one if there is one. Null when there is none. */
export function lanAddress(interfaces: Interfaces): string | null {
  const found = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  for (const range of BEST_FIRST) {
    const address = found.find((one) => range.test(one));
    if (address !== undefined) return address;
  }
  return null;
}
