// DNS: checks that phones find the API and the apps' hosts, and only over IPv4.
import { isAddress, isInside, isLocalName } from '../facts/addresses.ts';
import { SITE_MS } from '../facts/facts.ts';
import { type Host, hostsOf, nameOf } from '../facts/hosts.ts';
import type { Resolved } from '../facts/names.ts';
import { counted, fail, ok, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const namesCheck: Check = {
  name: 'names',
  withinMs: SITE_MS + 2_500,
  async run({ site, names }) {
    const looked = await site();
    if (!looked) return skipped('it is not known which names there are: no gateway answers');
    const { apps = [], ipv6Host, linkDomain } = looked;
    const hosts = [...hostsOf(looked), ...(ipv6Host === undefined ? [] : [ipv6HostOf(ipv6Host)])];
    const resolved = await Promise.all(
      hosts.map(async (host) => ({ ...host, resolved: await names.resolve(nameOf(host)) })),
    );
    const byAddress = apps.length === 0 || apps.some(({ matching }) => matching.windowMinutes > 0);
    return namesFindings(resolved, linkDomain, byAddress);
  },
};

const ipv6HostOf = (host: string): Host => ({ host, url: `https://${host}`, kind: 'ipv6', app: undefined });

type ResolvedHost = Host & { resolved: Resolved };

/** @param byAddress whether any app matches by address */
export function namesFindings(
  all: readonly ResolvedHost[],
  linkDomain: string | undefined,
  byAddress: boolean,
): Said[] {
  const asked = all.filter((one) => !isLocalName(nameOf(one)) && !isAddress(nameOf(one)));
  if (asked.length === 0)
    return [
      ok('localhost and bare addresses need no name server; phones elsewhere need names (docs/guides/real-phone.md)'),
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
  const six = byAddress ? onlyOverIpv4.filter(({ resolved }) => resolved.v6.length > 0) : [];
  const found = [
    silentFinding(silent),
    unknownFinding(unknown.filter(({ kind }) => kind !== 'custom')),
    unknownFinding(unknown.filter(({ kind }) => kind === 'custom')),
    sixFinding(six, proving !== undefined),
    proving && provingFinding(proving),
  ].flatMap((said) => (said ? { ...said, facts } : []));
  if (found.length > 0) return found;
  const [{ resolved }] = asked as [ResolvedHost];
  const inside =
    resolved.v4.length > 0 && resolved.v4.every(isInside)
      ? `, to ${resolved.v4[0]}, which only this network reaches`
      : '';
  const over = proving === undefined ? ', without AAAA records' : `, and ${nameOf(proving)} over IPv6 only`;
  return [ok(`${subject(asked, 'resolves', 'resolve')}${byAddress ? over : ''}${inside}`, facts)];

  function unknownFinding(unknown: readonly ResolvedHost[]): Said | undefined {
    if (unknown.length === 0) return undefined;
    const where = all.find(({ kind }) => kind === 'api')?.resolved.v4[0] ?? '<the address of your proxy>';
    const domain = linkDomain?.replace(/:\d+$/, '') ?? '<LINK_DOMAIN>';
    const ofKind = (wanted: Host['kind']) => unknown.every(({ kind }) => kind === wanted);
    return fail(
      `${subject(unknown, 'does', 'do')} not resolve: a tap there reaches nobody`,
      ofKind('api')
        ? 'Add an A record for it, and no AAAA record.'
        : ofKind('custom')
          ? `Have whoever owns it add the record ${nameOf(unknown[0]!)} A ${where}, and no AAAA record; or remove the domain from its app.`
          : `Add the record *.${domain} A ${where}, which covers the open- names as well, and no AAAA record.`,
    );
  }
}

const namesIn = (hosts: readonly Host[]): string => some(hosts.map(nameOf), 4);
const subject = (hosts: readonly Host[], one: string, many: string): string =>
  `${namesIn(hosts)} ${hosts.length === 1 ? one : many}`;

function silentFinding(silent: readonly ResolvedHost[]): Said | undefined {
  if (silent.length === 0) return undefined;
  return fail(
    `the name server does not answer for ${namesIn(silent)}: ${silent[0]!.resolved.fault}`,
    'See the zone of that name at its provider, and /etc/resolv.conf here; --resolver asks another name server.',
  );
}

function sixFinding(six: readonly ResolvedHost[], isProving: boolean): Said | undefined {
  if (six.length === 0) return undefined;
  return warn(
    `${subject(six, 'has', 'have')} AAAA records (${counted(six.length, 'name')}): browsers tap over IPv6, apps restore over IPv4, and the two never meet`,
    isProving
      ? 'Remove the AAAA records of the API: apps restore over IPv4, and prove their IPv6 address at IPV6_HOST.'
      : 'Remove the AAAA records of the API and of all link hosts: matching by address then finds about twice as much. Proxies of a CDN add them by themselves; switch that off. Or set IPV6_HOST, if your apps send addressToken (docs/guides/ipv6.md).',
  );
}

/** The host where clients prove their IPv6 address has no use over IPv4: phones would choose it. */
function provingFinding(proving: ResolvedHost): Said | undefined {
  const name = nameOf(proving);
  const { v4, v6, fault } = proving.resolved;
  if (fault !== undefined) return undefined;
  if (v6.length === 0)
    return fail(
      `${name} (IPV6_HOST) has no AAAA record: no client can prove its IPv6 address`,
      `Add the record ${name} AAAA with the IPv6 address of your proxy, and no A record.`,
    );
  if (v4.length === 0) return undefined;
  return fail(
    `${name} (IPV6_HOST) has an A record: phones may call it over IPv4 and get no token`,
    `Remove the A record of ${name}.`,
  );
}
