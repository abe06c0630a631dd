// The gateway's settings, and the only place here that reads the environment.
import { integer, MetricsHostsConfig, readConfig, readNames, SealConfig, StartError } from '@landfall/runtime';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isGuessable } from './guessable.ts';
import { type Limits, limitNames, specLimits } from './limits/limits.ts';
import { OidcConfig, oidcOf } from './oidc/settings.ts';

const hostWithPort = z
  .string()
  .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'must be a host name, lower case, with a port if it is not the usual one');

export const GatewayConfig = z.object({
  PORT: integer(0, 65_535).default(8080).describe('The port to listen on; 0 takes any free one.'),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe(
      'A second port for `/metrics`, `/readyz` and `/livez`, for your own network: do not publish it. Without it `/metrics` is on PORT and answers only who asks from this machine.',
    )
    .meta({ fallback: ' ' }),
  ...MetricsHostsConfig.shape,
  MAX_CONNECTIONS: integer(10, 1_000_000)
    .default(10_000)
    .describe(
      'Connections that a gateway has open at a time. One more is closed at once. METRICS_PORT is not counted.',
    ),
  REQUEST_SECONDS: integer(1, 300)
    .default(15)
    .describe('Seconds that a client may take to send a whole request. One that takes longer is answered 408.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('The address under which the API is reached. Its scheme is the one of every link.')
    .meta({ fallback: 'http://localhost:PORT' }),
  LINK_DOMAIN: hostWithPort
    .optional()
    .describe("Where links live: an app's host is `<subdomain>.` before this.")
    .meta({ fallback: 'localhost:PORT' }),
  API_HOSTS: z
    .string()
    .default('')
    .transform(parseHosts)
    .describe(
      'Further host names under which the API is served, comma-separated, e.g. that of a service inside a cluster. It is always served under the host of PUBLIC_URL and to this machine; while PUBLIC_URL is plain http, also under every address. Everywhere else it is 404.',
    )
    .meta({ fallback: ' ' }),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .transform(parseTrust)
    .describe(
      'Which peers may say in `X-Forwarded-For` whom they ask for: `loopback`, `linklocal`, `uniquelocal`, addresses or ranges, comma-separated; or a number of hops.',
    )
    .meta({ fallback: 'loopback' }),
  DRAIN_SECONDS: integer(0, 3)
    .default(0)
    .describe(
      'Behind a balancer: seconds that a gateway that stops goes on taking connections, while its `/readyz` says 503. At least as long as the balancer takes to notice.',
    ),
  SDK_KEY_HEADERS: z
    .string()
    .default('x-openlynk-sdk-key')
    .transform(readNames)
    .describe(
      'Further headers that may carry an SDK key, comma-separated, beside `x-service-sdk-key` and `Authorization`.',
    ),
  HASH_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters')
    .describe('Addresses and emails are stored only as hashes under this secret; install referrers are signed with it.')
    .meta({ secret: true, fallback: 'made by `npm start`, kept in LANDFALL_DATA' }),
  ...SealConfig.shape,
  RATE_LIMITS: z
    .string()
    .default('')
    .transform(parseLimits)
    .describe(
      `Other limits a minute and address than the defaults (\`server-create\`: a minute and server key), e.g. \`create-link=100,restore=50\`. Names: ${limitNames.map((name) => `\`${name}\``).join(', ')}.`,
    )
    .meta({ fallback: ' ' }),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(parseServers)
    .describe(
      'Name servers that are asked for the TXT records of custom domains, comma-separated: `address` or `address:port`. Without them those of the machine.',
    )
    .meta({ fallback: ' ' }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' })
    .optional()
    .describe('A Redis in which all gateways count limits together. Without it each counts in memory, for itself.')
    .meta({ secret: true }),
  REDIS_TIMEOUT_MS: integer(10, 5_000)
    .default(50)
    .describe('How long a request waits for Redis before its gateway counts in memory, in milliseconds.'),
  ...OidcConfig.shape,
});
export type GatewayConfig = z.output<typeof GatewayConfig> & { PUBLIC_URL: string; LINK_DOMAIN: string };

const TRUST_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** A number of hops, or names and ranges as express takes them. */
function parseTrust(value: string, context: z.RefinementCtx): number | string[] {
  if (/^\d+$/.test(value)) return Number(value);
  const parts = value.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !TRUST_NAMES.includes(part) && !ipaddr.isValid(part) && !ipaddr.isValidCIDR(part));
  if (wrong === undefined) return parts;
  const message = `must be a number of hops, or a list of ${TRUST_NAMES.join(', ')}, addresses and ranges`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

function parseLimits(value: string, context: z.RefinementCtx): Limits {
  const limits: Limits = { ...specLimits };
  for (const part of value.split(',').filter((p) => p.trim() !== '')) {
    const [name = '', number = ''] = part.split('=').map((p) => p.trim());
    const known = limitNames.find((n) => n === name);
    if (!known || !/^[1-9]\d{0,8}$/.test(number)) {
      context.addIssue({
        code: 'custom',
        message: `must be name=number pairs with names among ${limitNames.join(', ')}`,
      });
      return z.NEVER;
    }
    limits[known] = Number(number);
  }
  return limits;
}

function parseHosts(value: string, context: z.RefinementCtx): string[] {
  const names = readNames(value);
  if (names.every((name) => /^[a-z0-9._-]+$/.test(name))) return names;
  context.addIssue({ code: 'custom', message: 'must be host names without ports, comma-separated' });
  return z.NEVER;
}

/** As node:dns takes them. */
function parseServers(value: string, context: z.RefinementCtx): string[] {
  const servers = value
    .split(',')
    .map((server) => server.trim())
    .filter(Boolean);
  const isServer = (server: string) =>
    ipaddr.isValid(server.replace(/^(\[[\da-f:]+\]|[\d.]+):\d{1,5}$/i, '$1').replace(/^\[|\]$/g, ''));
  if (servers.every(isServer)) return servers;
  context.addIssue({ code: 'custom', message: 'must be addresses of name servers, comma-separated' });
  return z.NEVER;
}

/** Reads the settings; the addresses follow the port where they are not given. */
export function gatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const config = readConfig(GatewayConfig, env);
  const PUBLIC_URL = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const LINK_DOMAIN = config.LINK_DOMAIN ?? `localhost:${config.PORT}`;
  if (config.METRICS_PORT === config.PORT && config.PORT !== 0)
    throw new StartError('METRICS_PORT must be another port than PORT: it is not for the world.');
  oidcOf(config);
  if (new URL(PUBLIC_URL).pathname !== '/') throw new StartError('PUBLIC_URL must have no path.');
  if (PUBLIC_URL.startsWith('https:')) assertSecret(config);
  return { ...config, PUBLIC_URL, LINK_DOMAIN };
}

/** An instance that the world can reach needs secrets that nobody else knows. */
function assertSecret({ HASH_SECRET, SEAL_SECRET }: z.output<typeof GatewayConfig>): void {
  const advice = 'give it one of its own, e.g. of openssl rand -hex 32';
  if (HASH_SECRET === SEAL_SECRET)
    throw new StartError(`SEAL_SECRET is the same as HASH_SECRET, and PUBLIC_URL is public: ${advice}.`);
  for (const [name, secret] of Object.entries({ HASH_SECRET, SEAL_SECRET })) {
    if (isGuessable(secret))
      throw new StartError(`${name} is an example or easily guessed, and PUBLIC_URL is public: ${advice}.`);
  }
}
