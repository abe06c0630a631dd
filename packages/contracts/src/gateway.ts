import { z } from 'zod';
import { requestsOf } from './define.ts';

const address = () => z.string().max(100);

export const SeeGateway = requestsOf('gateway').query('SeeGateway', {
  description: 'Returns the settings of a gateway, and what it has seen of its clients.',
  input: z.object({}),
  reply: z.object({
    instance: z.string().describe('The name of this gateway among several.'),
    version: z.string().describe('The version of Landfall.'),
    node: z.string(),
    now: z.iso.datetime().describe('The time of this gateway.'),
    publicUrl: z.string(),
    linkDomain: z.string(),
    ipv6Host: z.string().nullable().describe('IPV6_HOST. Null: it is not set.'),
    trustProxy: z.string().describe('TRUST_PROXY.'),
    limitsIn: z.enum(['memory', 'redis']).describe('The place where rate limits are counted now.'),
    hashSecret: z.object({
      check: z
        .string()
        .describe('Equal on gateways with the same HASH_SECRET. It reveals nothing else about the secret.'),
      guessable: z.boolean().describe('True when the secret looks like words or a pattern and not random.'),
    }),
    untrustedProxies: z.array(address()).describe('Peers that send X-Forwarded-For and are not trusted.'),
    people: z
      .object({
        requests: z.int(),
        since: z.iso.datetime().nullable(),
        addresses: z.int().describe('The number of different addresses.'),
        forwarded: z.int().describe('The number of requests with X-Forwarded-For.'),
        mostFrequent: z
          .object({ requests: z.int(), address: address().nullable().describe('Null for an address on the internet.') })
          .nullable(),
      })
      .describe('The last taps and app starts that this gateway saw, at most 1,000.'),
  }),
  key: (_, id) => id,
});
