// Shows how this gateway is set up, and how it sees the caller. `landfall doctor` judges proxies by it. Only the
// operator and owners of the installation may see it, because it names addresses.
import { z } from 'zod';
import { isGuessable } from '../guessable.ts';
import { manageRoute } from '../routing/route.ts';

const address = () => z.string().max(100);

export const gatewayView = z.object({
  instance: z.string().describe('Tells it from other gateways.'),
  node: z.string(),
  now: z.iso.datetime(),
  publicUrl: z.string(),
  linkDomain: z.string(),
  trustProxy: z.string().describe('TRUST_PROXY.'),
  limitsIn: z.enum(['memory', 'redis']).describe('Where limits are counted now.'),
  hashSecret: z.object({
    check: z.string().describe('The same on gateways that have the same HASH_SECRET. It says nothing else of it.'),
    guessable: z.boolean().describe('It looks like words or a pattern rather than like chance.'),
  }),
  caller: z.object({
    peer: address().describe('Who holds the other end of the connection.'),
    trusted: z.boolean().describe('Whether the peer may say whom it asks for.'),
    forwardedFor: z.string().max(1_000).nullable().describe('X-Forwarded-For as it came.'),
    address: address().describe('Whose request this is taken for.'),
    matchable: z.boolean().describe('Whether a pending link may be matched by this address.'),
  }),
  untrustedProxies: z.array(address()).describe('Peers that send X-Forwarded-For and are not trusted.'),
  people: z
    .object({
      requests: z.int(),
      since: z.iso.datetime().nullable(),
      addresses: z.int().describe('How many different ones.'),
      forwarded: z.int().describe('How many came with X-Forwarded-For.'),
      mostFrequent: z
        .object({ requests: z.int(), address: address().nullable().describe('Null for one on the internet.') })
        .nullable(),
    })
    .describe('The last taps and starts of apps that this gateway saw, 1,000 at the most.'),
});

export const seeGateway = manageRoute({
  needs: 'instance-owner',
  method: 'GET',
  path: '/api/manage/gateway',
  name: 'seeGateway',
  summary: 'See how the gateway that answers is set up, and how it sees you',
  reply: z.object({ gateway: gatewayView }),
  errors: [],
  probe: true,
  async handle({ addressFound }, { self, config, hashes, now }) {
    const { people, untrustedProxies } = self.seen();
    const { TRUST_PROXY: trust } = config;
    return {
      gateway: {
        instance: self.instance,
        node: process.version,
        now: now().toISOString(),
        publicUrl: config.PUBLIC_URL,
        linkDomain: config.LINK_DOMAIN,
        trustProxy: typeof trust === 'number' ? `${trust}` : trust.join(),
        limitsIn: self.limitsIn(),
        hashSecret: { check: hashes.check(), guessable: isGuessable(config.HASH_SECRET) },
        caller: addressFound(),
        untrustedProxies: untrustedProxies.slice(0, 10),
        people: { ...people, since: people.since === null ? null : new Date(people.since).toISOString() },
      },
    };
  },
});
