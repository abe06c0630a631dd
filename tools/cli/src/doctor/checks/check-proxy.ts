// Gateways must know the client's address: else nothing is restored by address, and no error shows it.
import { readAddress } from '@landfall/http/addresses';
import { isAddress, isInside, isLoopback, ownAddresses } from '../facts/addresses.ts';
import { SITE_MS } from '../facts/facts.ts';
import type { GatewayView } from '../facts/site.ts';
import { fail, ok, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const proxyCheck: Check = {
  name: 'proxy',
  withinMs: SITE_MS + 3_500,
  async run({ site }) {
    const looked = await site();
    if (!looked?.front.landfall) return skipped('PUBLIC_URL does not answer as Landfall');
    const { front, doors, marker, publicUrl: url } = looked;
    if (!front.view) {
      // `/readyz` says it to callers on its own machine alone.
      const detail = front.ready?.checks.proxies?.detail;
      return [...(detail === undefined ? [] : [fail(detail, REASON)]), skipped(`not tried: ${front.noView}`)];
    }
    const views = new Map(doors.flatMap(({ view }) => (view ? [[view.instance, view] as const] : [])));
    const found = [
      probeFinding({ url, marker, own: ownAddresses(), view: front.view }),
      ...views.values().flatMap(peopleFindings),
    ];
    const bad = found.filter(({ state }) => state !== 'ok');
    // The first finding for each remedy: several gateways find the same fault.
    return bad.length > 0 ? [...Map.groupBy(bad, ({ remedy }) => remedy).values()].map(([first]) => first!) : found[0]!;
  },
};

const REASON =
  'Until then everybody behind it is one person: limits count all of them together, and restores by address are always empty.';
const FORWARD =
  'Have it add the client: in nginx proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; in HAProxy option forwardfor; Caddy and Traefik do it by themselves.';
const ONE_PERSON = 'everybody is one person, and restores by address are always empty';

interface Probe {
  url: string;
  /** The made-up client address that doctor sends. */
  marker: string;
  own: readonly string[];
  view: GatewayView;
}

/** Follows a made-up X-Forwarded-For on its way to the gateway. */
export function probeFinding({ url, marker, own, view }: Probe): Said {
  const { caller, trustProxy, instance } = view;
  const { peer, trusted, forwardedFor, address } = caller;
  const facts = { url, instance, trustProxy, caller };
  const chain = (forwardedFor ?? '')
    .split(',')
    .map((part) => readAddress(part)?.ip ?? part.trim())
    .filter(Boolean);
  const at = chain.lastIndexOf(marker);
  /** This machine's address, as the outermost proxy sees it. */
  const us = chain[at + 1];

  if (chain.length === 0)
    return fail(
      `the proxy at ${peer} takes X-Forwarded-For away and adds none: behind it ${ONE_PERSON}`,
      FORWARD,
      facts,
    );
  if (at >= 0 && us === undefined) return unchanged();
  if (!trusted)
    return fail(
      `the proxy at ${peer} says who asks (X-Forwarded-For), and the gateway does not believe it: behind it ${ONE_PERSON}`,
      trustAlso(trustProxy, peer),
      facts,
    );
  if (!isAddress(address))
    return fail(
      `the proxy writes "${address}" into X-Forwarded-For, which is no address: nobody is found again`,
      'Have it write the address of whoever asks.',
      facts,
    );
  if (at >= 0 && address === marker) return believed();
  if (address !== (us ?? chain[0]) && isInside(address))
    return fail(
      `behind the proxy at ${peer} there is another one at ${address} that is not trusted: behind it ${ONE_PERSON}`,
      trustAlso(trustProxy, address),
      facts,
    );
  return ok(`the proxy at ${peer} is trusted and says who asks; what a client claims itself is not believed`, facts);

  /** It arrives unchanged: there is no proxy, or the proxy adds nothing. */
  function unchanged(): Said {
    if (own.includes(peer) || isLoopback(peer))
      return ok(`${url} leads to the gateway without a proxy in between`, facts);
    if (address === marker)
      return fail(
        `${peer} passes X-Forwarded-For on as the client wrote it, and the gateway believes it: anybody may have any address`,
        `${FORWARD} If ${peer} is no proxy, take it out of TRUST_PROXY (now ${trustProxy}).`,
        facts,
      );
    if (!isInside(peer))
      return ok('there is no proxy in between, and what a client claims itself is not believed', facts);
    return warn(
      `requests come from ${peer}, which is not this machine and adds no X-Forwarded-For: if everybody comes from there, ${ONE_PERSON}`,
      `${FORWARD} If it only rewrites addresses (NAT, Docker's userland proxy), let a proxy in front of it say who asks.`,
      facts,
    );
  }

  /** TRUST_PROXY counts hops, or trusts this machine itself. */
  function believed(): Said {
    const byHops = /^\d+$/.test(trustProxy);
    if (!byHops && us !== undefined && (isInside(us) || own.includes(us)))
      return ok(
        `the proxy at ${peer} is trusted and says who asks; this machine (${us}) is trusted as well, so whether a stranger's claim is believed shows only from outside`,
        facts,
      );
    return fail(
      'the gateway believes what a client itself claims in X-Forwarded-For: anybody may have any address, pass every limit, and take what others tapped',
      byHops
        ? `TRUST_PROXY=${trustProxy} counts more proxies than there are: set it to ${chain.length - at - 1}, or better to the address of the proxy (${peer}).`
        : `TRUST_PROXY=${trustProxy} trusts addresses that strangers have: set it to the addresses of your proxies alone (${peer}).`,
      facts,
    );
  }
}

/** TRUST_PROXY may be a number of hops. An address cannot be added to a number. */
const trustAlso = (trustProxy: string, whom: string): string => {
  const list = /^\d*$/.test(trustProxy) ? whom : `${trustProxy},${whom}`;
  return `Set TRUST_PROXY=${list} on every gateway (now ${trustProxy}), and start them again.`;
};

const ENOUGH = 50;
const NEARLY_ALL = 0.9;

export function peopleFindings({
  instance,
  trustProxy,
  people,
  untrustedProxies,
}: Pick<GatewayView, 'instance' | 'trustProxy' | 'people' | 'untrustedProxies'>): Said[] {
  if (untrustedProxies.length > 0)
    return [
      fail(
        `gateway ${instance} gets requests with X-Forwarded-For from ${some(untrustedProxies)}, which it does not trust: behind that ${ONE_PERSON}`,
        `If that is your proxy: ${trustAlso(trustProxy, untrustedProxies.join())}`,
        { untrustedProxies },
      ),
    ];
  const { requests, mostFrequent, forwarded, addresses } = people;
  if (!mostFrequent || requests < ENOUGH || mostFrequent.requests / requests < NEARLY_ALL) return [];
  const { address } = mostFrequent;
  const percent = Math.floor((mostFrequent.requests / requests) * 100);
  const most = `${percent} % of the last ${requests} taps and starts of apps at gateway ${instance}`;
  const why = `${forwarded === 0 ? 'none' : forwarded} of them said who asks (X-Forwarded-For)`;
  const facts = { people };
  if (address !== null && !isLoopback(address))
    return [
      fail(
        `${most} came from ${address}, and ${why}: that is a proxy's address, and behind it ${ONE_PERSON}`,
        forwarded === 0 ? FORWARD : `Set TRUST_PROXY so that it holds every proxy on the way (now ${trustProxy}).`,
        facts,
      ),
    ];
  const says = `${most} came from one address (${addresses} in all), and ${why}`;
  return [warn(says, `Fine if that was you, trying. Otherwise a proxy hides who asks: ${FORWARD}`, facts)];
}
