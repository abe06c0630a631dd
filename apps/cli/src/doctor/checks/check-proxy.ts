// Checks that gateways know the client's address. If all people have one address, nothing is restored by address, and
// no error shows it.
import { isAddress, isInside, isLoopback, ownAddresses, withoutPort } from '../facts/addresses.ts';
import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import type { Door, GatewayView } from '../facts/site.ts';
import { type Finding, fail, ok, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const proxyCheck: Check<Facts> = {
  name: 'proxy',
  withinMs: SITE_MS + 3_500,
  async run({ site }) {
    const looked = await site();
    if (!looked?.front.landfall) return [skipped('proxy', 'PUBLIC_URL does not answer as Landfall')];
    const { front, doors, marker } = looked;
    if (!front.view) return [...passive(front), skipped('proxy', `not tried: ${front.noView}`)];
    const own = ownAddresses();
    const found = [
      ...probeFindings({ url: looked.publicUrl, marker, own, view: front.view }),
      ...distinct(doors).flatMap(peopleFindings),
    ];
    return shortened(found);
  },
};

/**
 * Keeps the first finding for each remedy, because several checks find the same fault. Without a fault, keeps only the first
 * finding.
 */
function shortened(found: readonly Finding[]): Finding[] {
  const bad = found.filter(({ state }) => state !== 'ok');
  const shown = bad.length > 0 ? bad : found.slice(0, 1);
  return [...Map.groupBy(shown, ({ remedy, says }) => remedy ?? says).values()].map(([first]) => first!);
}

const distinct = (doors: readonly Door[]): GatewayView[] => [
  ...new Map(doors.flatMap(({ view }) => (view ? [[view.instance, view] as const] : []))).values(),
];

/** Without the owner token, doctor knows only what `/readyz` says, and it says so to callers on its own machine alone. */
function passive({ ready }: Door): Finding[] {
  const detail = ready?.checks.proxies?.detail;
  return detail === undefined ? [] : [fail('proxy', detail, REASON)];
}

const REASON =
  'Until then everybody behind it is one person: limits count all of them together, and restores by address are always empty.';
const FORWARD =
  'Have it add the client: in nginx proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; in HAProxy option forwardfor; Caddy and Traefik do it by themselves.';
const ONE_PERSON = 'everybody is one person, and restores by address are always empty';

export interface Probe {
  url: string;
  /** The made-up client address that doctor sends. */
  marker: string;
  /** Addresses of this machine. */
  own: readonly string[];
  view: GatewayView;
}

/** Follows a made-up X-Forwarded-For on its way to the gateway. */
export function probeFindings({ url, marker, own, view }: Probe): Finding[] {
  const { caller, trustProxy } = view;
  const { peer, trusted, forwardedFor, address } = caller;
  const facts = { url, instance: view.instance, trustProxy, caller };
  const chain = (forwardedFor ?? '')
    .split(',')
    .map((part) => withoutPort(part.trim()))
    .filter(Boolean);
  const at = chain.lastIndexOf(marker);
  /** This machine's address, as the outermost proxy sees it. */
  const us = chain[at + 1];
  const direct = own.includes(peer) || isLoopback(peer);
  const trust = (whom: string) => trustAlso(trustProxy, whom);

  if (chain.length === 0)
    return [
      fail(
        'proxy',
        `the proxy at ${peer} takes X-Forwarded-For away and adds none: behind it ${ONE_PERSON}`,
        FORWARD,
        facts,
      ),
    ];
  if (at >= 0 && us === undefined) return unchanged();
  if (!trusted)
    return [
      fail(
        'proxy',
        `the proxy at ${peer} says who asks (X-Forwarded-For), and the gateway does not believe it: behind it ${ONE_PERSON}`,
        trust(peer),
        facts,
      ),
    ];
  if (!isAddress(address))
    return [
      fail(
        'proxy',
        `the proxy writes "${address}" into X-Forwarded-For, which is no address: nobody is found again`,
        'Have it write the address of whoever asks.',
        facts,
      ),
    ];
  if (at >= 0 && address === marker) return believed();
  if (address !== (us ?? chain[0]) && isInside(address))
    return [
      fail(
        'proxy',
        `behind the proxy at ${peer} there is another one at ${address} that is not trusted: behind it ${ONE_PERSON}`,
        trust(address),
        facts,
      ),
    ];
  return [
    ok(
      'proxy',
      `the proxy at ${peer} is trusted and says who asks; what a client claims itself is not believed`,
      facts,
    ),
  ];

  /** Judges an X-Forwarded-For that arrives unchanged: there is no proxy, or the proxy adds nothing. */
  function unchanged(): Finding[] {
    if (direct) return [ok('proxy', `${url} leads to the gateway without a proxy in between`, facts)];
    if (address === marker)
      return [
        fail(
          'proxy',
          `${peer} passes X-Forwarded-For on as the client wrote it, and the gateway believes it: anybody may have any address`,
          `${FORWARD} If ${peer} is no proxy, take it out of TRUST_PROXY (now ${trustProxy}).`,
          facts,
        ),
      ];
    if (!isInside(peer))
      return [ok('proxy', 'there is no proxy in between, and what a client claims itself is not believed', facts)];
    return [
      warn(
        'proxy',
        `requests come from ${peer}, which is not this machine and adds no X-Forwarded-For: if everybody comes from there, ${ONE_PERSON}`,
        `${FORWARD} If it only rewrites addresses (NAT, Docker's userland proxy), let a proxy in front of it say who asks.`,
        facts,
      ),
    ];
  }

  /** Judges a made-up address that the gateway believes: TRUST_PROXY counts hops, or trusts this machine itself. */
  function believed(): Finding[] {
    const byHops = /^\d+$/.test(trustProxy);
    if (!byHops && us !== undefined && (isInside(us) || own.includes(us)))
      return [
        ok(
          'proxy',
          `the proxy at ${peer} is trusted and says who asks; this machine (${us}) is trusted as well, so whether a stranger's claim is believed shows only from outside`,
          facts,
        ),
      ];
    const remedy = byHops
      ? `TRUST_PROXY=${trustProxy} counts more proxies than there are: set it to ${chain.length - at - 1}, or better to the address of the proxy (${peer}).`
      : `TRUST_PROXY=${trustProxy} trusts addresses that strangers have: set it to the addresses of your proxies alone (${peer}).`;
    return [
      fail(
        'proxy',
        'the gateway believes what a client itself claims in X-Forwarded-For: anybody may have any address, pass every limit, and take what others tapped',
        remedy,
        facts,
      ),
    ];
  }
}

/** TRUST_PROXY may be a number of hops. An address cannot be added to a number. */
const trustAlso = (trustProxy: string, whom: string): string => {
  const list = /^\d*$/.test(trustProxy) ? whom : `${trustProxy},${whom}`;
  return `Set TRUST_PROXY=${list} on every gateway (now ${trustProxy}), and start them again.`;
};

const ENOUGH = 50;
const NEARLY_ALL = 0.9;

/** Judges the addresses of the last taps and app starts at a gateway. */
export function peopleFindings({
  instance,
  trustProxy,
  people,
  untrustedProxies,
}: Pick<GatewayView, 'instance' | 'trustProxy' | 'people' | 'untrustedProxies'>): Finding[] {
  const found: Finding[] = [];
  if (untrustedProxies.length > 0) {
    const whom = untrustedProxies.join();
    const says = `gateway ${instance} gets requests with X-Forwarded-For from ${some(untrustedProxies)}, which it does not trust: behind that ${ONE_PERSON}`;
    found.push(fail('proxy', says, `If that is your proxy: ${trustAlso(trustProxy, whom)}`, { untrustedProxies }));
  }
  const { requests, mostFrequent, forwarded, addresses } = people;
  const share = mostFrequent ? mostFrequent.requests / requests : 0;
  if (found.length > 0 || requests < ENOUGH || share < NEARLY_ALL || !mostFrequent) return found;
  const percent = `${Math.floor(share * 100)} % of the last ${requests} taps and starts of apps`;
  const { address } = mostFrequent;
  const why =
    forwarded === 0
      ? 'none of them said who asks (X-Forwarded-For)'
      : `${forwarded} of them said who asks (X-Forwarded-For)`;
  const facts = { people };
  if (address !== null && !isLoopback(address))
    return [
      fail(
        'proxy',
        `${percent} at gateway ${instance} came from ${address}, and ${why}: that is a proxy's address, and behind it ${ONE_PERSON}`,
        forwarded === 0 ? FORWARD : `Set TRUST_PROXY so that it holds every proxy on the way (now ${trustProxy}).`,
        facts,
      ),
    ];
  const says = `${percent} at gateway ${instance} came from one address (${addresses} in all), and ${why}`;
  return [warn('proxy', says, `Fine if that was you, trying. Otherwise a proxy hides who asks: ${FORWARD}`, facts)];
}
