// DNS: checks that phones find the API and the apps' hosts, and only over IPv4.
import { isAddress, isInside, isLocalName } from '../facts/addresses.ts';
import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import { type Host, hostsOf, nameOf } from '../facts/hosts.ts';
import type { Resolved } from '../facts/names.ts';
import { counted, type Finding, fail, ok, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const namesCheck: Check<Facts> = {
  name: 'names',
  withinMs: SITE_MS + 2_500,
  async run({ site, names }) {
    const looked = await site();
    if (!looked) return [skipped('names', 'it is not known which names there are: no gateway answers')];
    const { ipv6Host } = looked;
    const hosts = [...hostsOf(looked), ...(ipv6Host === undefined ? [] : [ipv6HostOf(ipv6Host)])];
    const resolved = await Promise.all(
      hosts.map(async (host) => ({ ...host, resolved: await names.resolve(nameOf(host)) })),
    );
    const byAddress =
      looked.apps === undefined ||
      looked.apps.length === 0 ||
      looked.apps.some(({ matching }) => matching.windowMinutes > 0);
    return namesFindings(resolved, looked.linkDomain, byAddress);
  },
};

const ipv6HostOf = (host: string): Host => ({ host, url: `https://${host}`, kind: 'ipv6', app: undefined });

export interface ResolvedHost extends Host {
  resolved: Resolved;
}

/** @param byAddress whether any app matches by address */
export function namesFindings(
  all: readonly ResolvedHost[],
  linkDomain: string | undefined,
  byAddress: boolean,
): Finding[] {
  const asked = all.filter((one) => !isLocalName(nameOf(one)) && !isAddress(nameOf(one)));
  if (asked.length === 0)
    return [
      ok(
        'names',
        'localhost and bare addresses need no name server; phones elsewhere need names (docs/guides/real-phone.md)',
      ),
    ];
  const facts = {
    names: Object.fromEntries(asked.map((one) => [nameOf(one), { a: one.resolved.v4, aaaa: one.resolved.v6 }])),
  };
  const silent = asked.filter(({ resolved }) => resolved.fault !== undefined);
  const unknown = asked.filter(
    ({ kind, resolved: { v4, v6, fault } }) => kind !== 'ipv6' && v4.length + v6.length === 0 && fault === undefined,
  );
  const proving = asked.find(({ kind }) => kind === 'ipv6');
  // Taps over IPv6 are matched when clients prove their IPv6 address. Their restores still need IPv4.
  const onlyOverIpv4 = proving === undefined ? asked : asked.filter(({ kind }) => kind === 'api');
  const six = onlyOverIpv4.filter(({ resolved }) => resolved.v6.length > 0);
  const found = [
    ...(silent.length === 0
      ? []
      : [
          fail(
            'names',
            `the name server does not answer for ${namesIn(silent)}: ${silent[0]!.resolved.fault}`,
            'See the zone of that name at its provider, and /etc/resolv.conf here; --resolver asks another name server.',
            facts,
          ),
        ]),
    ...[unknown.filter(({ kind }) => kind !== 'custom'), unknown.filter(({ kind }) => kind === 'custom')]
      .filter((some) => some.length > 0)
      .map((some) => unknownFinding(some, all, linkDomain, facts)),
    ...(six.length === 0 || !byAddress ? [] : [sixFinding(six, proving !== undefined, facts)]),
    ...(proving === undefined || proving.resolved.fault !== undefined ? [] : provingFindings(proving, facts)),
  ];
  if (found.length > 0) return found;
  const [{ resolved }] = asked as [ResolvedHost];
  const inside =
    resolved.v4.length > 0 && resolved.v4.every(isInside)
      ? `, to ${resolved.v4[0]}, which only this network reaches`
      : '';
  return [
    ok(
      'names',
      `${namesIn(asked)} ${asked.length === 1 ? 'resolves' : 'resolve'}${byAddress ? withoutAaaa(proving) : ''}${inside}`,
      facts,
    ),
  ];
}

const namesIn = (hosts: readonly Host[]): string => some(hosts.map(nameOf), 4);

function unknownFinding(
  unknown: readonly ResolvedHost[],
  all: readonly ResolvedHost[],
  linkDomain: string | undefined,
  facts: object,
): Finding {
  const api = all.find(({ kind }) => kind === 'api');
  const where = api?.resolved.v4[0] ?? '<the address of your proxy>';
  const domain = linkDomain?.replace(/:\d+$/, '') ?? '<LINK_DOMAIN>';
  const says = `${namesIn(unknown)} ${unknown.length === 1 ? 'does' : 'do'} not resolve: a tap there reaches nobody`;
  const remedy = unknown.every(({ kind }) => kind === 'api')
    ? 'Add an A record for it, and no AAAA record.'
    : unknown.every(({ kind }) => kind === 'custom')
      ? `Have whoever owns it add the record ${nameOf(unknown[0]!)} A ${where}, and no AAAA record; or remove the domain from its app.`
      : `Add the record *.${domain} A ${where}, which covers the open- names as well, and no AAAA record.`;
  return fail('names', says, remedy, facts);
}

const withoutAaaa = (proving: ResolvedHost | undefined): string =>
  proving === undefined ? ', without AAAA records' : `, and ${nameOf(proving)} over IPv6 only`;

function sixFinding(six: readonly ResolvedHost[], proving: boolean, facts: object): Finding {
  const says = `${namesIn(six)} ${six.length === 1 ? 'has' : 'have'} AAAA records (${counted(six.length, 'name')}): browsers tap over IPv6, apps restore over IPv4, and the two never meet`;
  const remedy = proving
    ? 'Remove the AAAA records of the API: apps restore over IPv4, and prove their IPv6 address at IPV6_HOST.'
    : 'Remove the AAAA records of the API and of all link hosts: matching by address then finds about twice as much. Proxies of a CDN add them by themselves; switch that off. Or set IPV6_HOST, if your apps send addressToken (docs/guides/ipv6.md).';
  return warn('names', says, remedy, facts);
}

/** The host where clients prove their IPv6 address has no use over IPv4: phones would choose it. */
function provingFindings(proving: ResolvedHost, facts: object): Finding[] {
  const name = nameOf(proving);
  const { v4, v6 } = proving.resolved;
  if (v6.length === 0)
    return [
      fail(
        'names',
        `${name} (IPV6_HOST) has no AAAA record: no client can prove its IPv6 address`,
        `Add the record ${name} AAAA with the IPv6 address of your proxy, and no A record.`,
        facts,
      ),
    ];
  if (v4.length > 0)
    return [
      fail(
        'names',
        `${name} (IPV6_HOST) has an A record: phones may call it over IPv4 and get no token`,
        `Remove the A record of ${name}.`,
        facts,
      ),
    ];
  return [];
}
