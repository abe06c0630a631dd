// The settings of every process that serves HTTP.
import { integer, MetricsHostsConfig, readNames, SealConfig, StartError } from '@landfall/runtime';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { type Limits, limitNames, specLimits } from './limits/limits.ts';

/** A host name in lower case, perhaps with a port. */
const hostWithPort = z
  .string()
  .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'must be a host name, lower case, with a port if it is not the usual one');

export const HttpConfig = z.object({
  PORT: integer(0, 65_535).default(8080).describe('The port to listen on; 0 takes any free one.'),
  LISTEN_HOST: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an address, e.g. 127.0.0.1 or 0.0.0.0' })
    .optional()
    .describe(
      'The address of this machine on which PORT is served. `npm start` serves this machine alone while PUBLIC_URL is not set, except with `--lan`. In a container set `0.0.0.0`.',
    )
    .meta({ fallback: 'all addresses; `npm start`: `127.0.0.1`' }),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe(
      'A second port for `/metrics`, `/readyz` and `/livez`, for your own network. Do not publish it. Without it `/metrics` is on PORT and answers only requests from this machine.',
    ),
  ...MetricsHostsConfig.shape,
  MAX_CONNECTIONS: integer(10, 1_000_000)
    .default(10_000)
    .describe(
      'The maximum number of open connections of a process. It closes any further connection at once. METRICS_PORT is not counted.',
    ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000)
    .default(200)
    .describe(
      'The maximum number of open connections from one address: an IPv4 address, or the /64 of an IPv6 address. A /48 may have ten times as many. The process closes any further connection at once. Proxies of TRUST_PROXY are not counted.',
    ),
  REQUEST_SECONDS: integer(1, 300)
    .default(15)
    .describe('Seconds that a client has to send a whole request. A slower request gets 408.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('The public URL of the API. Every link uses its scheme.')
    .meta({ fallback: 'http://localhost:PORT' }),
  LINK_DOMAIN: hostWithPort
    .optional()
    .describe('The domain of the link hosts. The host of an app is `<subdomain>.<LINK_DOMAIN>`.')
    .meta({ fallback: 'localhost:PORT' }),
  API_HOSTS: z
    .string()
    .default('')
    .transform(parseHosts)
    .describe(
      'Further host names of the API, comma-separated, e.g. the name of a service inside a cluster. The API always answers under the host of PUBLIC_URL, and to this machine. While PUBLIC_URL is plain http, it also answers under every address. Under any other host it answers 404.',
    ),
  IPV6_HOST: hostWithPort
    .optional()
    .describe(
      'A host name of the API that has an AAAA record and no A record. Clients get a token for their IPv6 address there (`GET /api/address`), and link hosts may then have AAAA records.',
    ),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .transform(parseTrust)
    .describe(
      'Proxies whose `X-Forwarded-For` is trusted: `loopback`, `linklocal`, `uniquelocal`, addresses or ranges, comma-separated; or a number of hops.',
    )
    .meta({ fallback: 'loopback' }),
  DRAIN_SECONDS: integer(0, 3)
    .default(0)
    .describe(
      'For a gateway or a console behind a load balancer: seconds that a stopping process still accepts connections while its `/readyz` answers 503. Set at least the time that the load balancer needs to notice.',
    ),
  HASH_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters')
    .describe('Addresses and emails are stored only as hashes under this secret. It also signs install referrers.')
    .meta({ secret: true, fallback: 'made by `npm start`, kept in LANDFALL_DATA' }),
  ...SealConfig.shape,
  RATE_LIMITS: z
    .string()
    .default('')
    .transform(parseLimits)
    .describe(
      `Rate limits that differ from the defaults, in requests a minute and address (\`server-create\`: a minute and server key), e.g. \`create-link=100,restore=50\`. Names: ${limitNames.map((name) => `\`${name}\``).join(', ')}.`,
    )
    .meta({ fallback: '' }),
  SIMULATED_APP: z
    .uuid()
    .optional()
    .describe(
      'The id of an app that a page of ours plays: `/simulated-app` on its link host. Without an app in a store, a tap leads there, and the page restores the link as an SDK does. It needs no key, so do not set it for an app with real people. `npm start` sets its demo app. The page also plays every app that has no build, store, web page and domain yet.',
    ),
  SIMULATED_APP_HOST: hostWithPort
    .optional()
    .describe(
      'One more host for the links of SIMULATED_APP, which a phone finds without a DNS record, e.g. `192.168.1.20:8080`. In one process it may be the host of the API: then links have the paths that are left. `npm start -- --lan` and `--tunnel` set it.',
    ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' })
    .optional()
    .describe(
      'A Redis in which all gateways and consoles count rate limits together, and in which gateways remember for ten minutes which tap the buttons of a page belong to. Without it each process counts and remembers in its own memory.',
    )
    .meta({ secret: true }),
  REDIS_TIMEOUT_MS: integer(10, 5_000)
    .default(50)
    .describe('Milliseconds that a request waits for Redis. After that the process uses its own memory.'),
});
export type HttpConfig = z.output<typeof HttpConfig> & { PUBLIC_URL: string; LINK_DOMAIN: string };

const TRUST_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Parses a number of hops, or names and ranges in the format of express. */
function parseTrust(value: string, context: z.RefinementCtx): number | string[] {
  if (/^\d+$/.test(value)) return Number(value);
  const parts = value.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !TRUST_NAMES.includes(part) && !ipaddr.isValid(part) && !ipaddr.isValidCIDR(part));
  if (wrong === undefined) return parts;
  return refuse(context, `must be a number of hops, or a list of ${TRUST_NAMES.join(', ')}, addresses and ranges`);
}

function parseLimits(value: string, context: z.RefinementCtx): Limits {
  const limits: Limits = { ...specLimits };
  for (const part of value.split(',').filter((p) => p.trim() !== '')) {
    const [name = '', number = ''] = part.split('=').map((p) => p.trim());
    const known = limitNames.find((n) => n === name);
    if (!known || !/^[1-9]\d{0,8}$/.test(number))
      return refuse(context, `must be name=number pairs with names among ${limitNames.join(', ')}`);
    limits[known] = Number(number);
  }
  return limits;
}

function parseHosts(value: string, context: z.RefinementCtx): string[] {
  const names = readNames(value);
  if (names.every((name) => /^[a-z0-9._-]+$/.test(name))) return names;
  return refuse(context, 'must be host names without ports, comma-separated');
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Checks the settings together. PUBLIC_URL and LINK_DOMAIN follow the port when they are not set. */
export function completed<C extends z.output<typeof HttpConfig>>(
  config: C,
): C & { PUBLIC_URL: string; LINK_DOMAIN: string } {
  const PUBLIC_URL = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const LINK_DOMAIN = config.LINK_DOMAIN ?? `localhost:${config.PORT}`;
  if (config.METRICS_PORT === config.PORT && config.PORT !== 0)
    throw new StartError('METRICS_PORT must be another port than PORT: it must not be public.');
  const { href, origin } = new URL(PUBLIC_URL);
  if (href !== `${origin}/`)
    throw new StartError(
      'PUBLIC_URL must have no path, query, fragment or user: only the scheme, the host and a port.',
    );
  if (PUBLIC_URL.startsWith('https:')) assertSecret(config);
  return { ...config, PUBLIC_URL, LINK_DOMAIN };
}

/** Throws {@link StartError} when a public instance has secrets that somebody else may know. */
function assertSecret({ HASH_SECRET, SEAL_SECRET }: z.output<typeof HttpConfig>): void {
  const advice = 'set its own secret, e.g. from openssl rand -hex 32';
  if (HASH_SECRET === SEAL_SECRET)
    throw new StartError(`SEAL_SECRET is the same as HASH_SECRET, and PUBLIC_URL is public: ${advice}.`);
  for (const [name, secret] of Object.entries({ HASH_SECRET, SEAL_SECRET })) {
    if (isGuessable(secret))
      throw new StartError(`${name} is an example or easy to guess, and PUBLIC_URL is public: ${advice}.`);
  }
}

const FEW_CHARACTERS = 8;

/** True for words with spaces, a usual placeholder, or a few characters that repeat. */
export const isGuessable = (secret: string): boolean =>
  new Set(secret).size < FEW_CHARACTERS ||
  /\s|change.?me|example|password|secret|landfall|12345678|abcdefgh/i.test(secret);

/** Throws {@link StartError} when a process has no secrets. One that it made for itself would fit no other process. */
export function assertSecretsGiven(env: NodeJS.ProcessEnv): void {
  for (const [name, otherwise] of [
    ['HASH_SECRET', 'hashes of one match nothing at the others'],
    ['SEAL_SECRET', 'nobody can sign in'],
  ] as const) {
    if (env[name] || env[`${name}_FILE`]) continue;
    throw new StartError(
      `${name} is not set: give all gateways and consoles the same one, e.g. from openssl rand -hex 32. Otherwise ${otherwise}.`,
    );
  }
}
