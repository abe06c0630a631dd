import { z } from 'zod';
import { requestsOf } from './define.ts';
import { instant, text } from './fields.ts';

export const SeeGateway = requestsOf('gateway').query({
  name: 'SeeGateway',
  description: 'Returns the settings of a gateway, and what it has seen of its clients.',
  input: z.object({}),
  reply: z.object({
    instance: text(253),
    version: text(100),
    node: text(100),
    now: instant(),
    publicUrl: text(2_048),
    linkDomain: text(300),
    ipv6Host: text(300).nullable(),
    trustProxy: text(10_000),
    limitsIn: z.enum(['memory', 'redis']),
    hashSecret: z.object({ check: text(100), guessable: z.boolean() }),
    untrustedProxies: z.array(text(100)),
    people: z.object({
      requests: z.int(),
      since: instant().nullable(),
      addresses: z.int(),
      forwarded: z.int(),
      mostFrequent: z.object({ requests: z.int(), address: text(100).nullable() }).nullable(),
    }),
  }),
  key: (_, id) => id,
});
