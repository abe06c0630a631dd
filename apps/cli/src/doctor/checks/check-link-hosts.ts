// Checks that Landfall answers on the link host and the open host of each app, under that name.

import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import { explain, type Get, type Got, isLandfall } from '../facts/get.ts';
import { type Host, hostsOf, nameOf } from '../facts/hosts.ts';
import { type Finding, fail, ok, skipped, some } from '../finding.ts';
import type { Check } from '../run-checks.ts';
import { certificateFinding, notLandfall } from './check-public-url.ts';

export const linkHostsCheck: Check<Facts> = {
  name: 'link hosts',
  withinMs: SITE_MS + 4_500,
  async run({ site, names, get }) {
    const looked = await site();
    if (!looked) return [skipped('link hosts', 'it is not known which there are: no gateway answers')];
    if (looked.linkDomain === undefined)
      return [skipped('link hosts', NO_DOMAIN, 'Set LINK_DOMAIN as the gateways have it.')];
    const hosts = hostsOf(looked).filter(({ kind }) => kind !== 'api');
    const answers = await Promise.all(
      hosts.map(async (host): Promise<Answered | undefined> => {
        const { v4, v6 } = await names.resolve(nameOf(host));
        // The line "names" reports hosts that do not resolve.
        return v4.length + v6.length === 0 ? undefined : askHost(get, host);
      }),
    );
    return linkHostsFindings(
      answers.filter((one) => one !== undefined),
      hosts.length,
      Date.now(),
    );
  },
};

const NO_DOMAIN = 'it is not known which there are: LINK_DOMAIN is not set, and no gateway says it';

export interface Answered {
  host: Host;
  fault?: { says: string; remedy: string };
  live?: Got;
  /** The answer of `/`, which shows where it redirects to. */
  root?: Got;
}

async function askHost(get: Get, host: Host): Promise<Answered> {
  try {
    const live = await get(`${host.url}/livez`);
    return { host, live, root: await get(`${host.url}/`) };
  } catch (error) {
    return { host, fault: explain(error) };
  }
}

export function linkHostsFindings(answers: readonly Answered[], asked: number, now: number): Finding[] {
  if (answers.length === 0) return [skipped('link hosts', 'none of their names resolves')];
  const found = answers.flatMap((answer) => hostFindings(answer, now));
  // Link hosts and open hosts share one DNS record, one certificate and one proxy. The same fault is reported once,
  // with the number of other hosts.
  const same = [...Map.groupBy(found, ({ remedy, says }) => remedy ?? says).values()];
  if (same.length > 0)
    return same.map(([first, ...rest]) =>
      rest.length === 0 ? first! : { ...first!, says: `${first!.says} (and ${rest.length} more the same way)` },
    );
  const shown = some(
    answers.map(({ host }) => host.host),
    4,
  );
  return answers.length === asked
    ? [ok('link hosts', `${shown} answer as Landfall`)]
    : [ok('link hosts', `${shown} answer as Landfall; the others do not resolve`)];
}

function hostFindings({ host, fault, live, root }: Answered, now: number): Finding[] {
  const name = 'link hosts';
  if (fault) return [fail(name, `${host.url} cannot be reached: ${fault.says}`, fault.remedy)];
  if (!live) return [];
  if (!isLandfall(live)) return [notLandfall(name, host.url, live)];
  // On the host name of an app, `/` never redirects to the page of the API.
  if (root?.headers.location === '/docs')
    return [
      fail(
        name,
        `${host.host} reaches the gateway under another name: its links are not found`,
        'Have the proxy pass the Host header on as it came: in nginx proxy_set_header Host $http_host.',
      ),
    ];
  const certificate = certificateFinding(name, host.url, live, now);
  return certificate ? [certificate] : [];
}
