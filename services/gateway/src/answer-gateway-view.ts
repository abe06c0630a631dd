// Tells the console about this gateway: its settings, and what it has seen of its clients. `landfall doctor` checks
// proxies with it.
import { type Bus, each } from '@landfall/bus';
import { SeeGateway } from '@landfall/contracts';
import { type HttpParts, isGuessable } from '@landfall/http';
import { productVersion } from '@landfall/runtime';
import type { GatewayConfig } from './config.ts';

const MOST_PROXIES = 10;

export function answerGatewayView(
  bus: Bus,
  { instance, limitsIn, now, seen, hashes }: HttpParts,
  config: GatewayConfig,
): void {
  const { TRUST_PROXY: trust } = config;
  bus.answer(
    SeeGateway,
    each(async () => {
      const { people, untrustedProxies } = seen();
      const reply = {
        instance,
        version: productVersion,
        node: process.version,
        now: now().toISOString(),
        publicUrl: config.PUBLIC_URL,
        linkDomain: config.LINK_DOMAIN,
        ipv6Host: config.IPV6_HOST ?? null,
        trustProxy: typeof trust === 'number' ? `${trust}` : trust.join(),
        limitsIn: limitsIn(),
        hashSecret: { check: hashes.check(), guessable: isGuessable(config.HASH_SECRET) },
        untrustedProxies: untrustedProxies.slice(0, MOST_PROXIES),
        people: { ...people, since: people.since === null ? null : new Date(people.since).toISOString() },
      };
      return { reply };
    }),
  );
}
