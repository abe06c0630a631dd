import { SITE_MS } from '../facts/facts.ts';
import { explain, type Get, isLandfall } from '../facts/get.ts';
import { askEach, type Host, hostsOf } from '../facts/hosts.ts';
import { fail, folded, ok, type Said, skipped, some } from '../finding.ts';
import type { Check } from '../run-checks.ts';
import { certificateFinding, notLandfall } from './check-public-url.ts';

export const linkHostsCheck: Check = {
  name: 'link hosts',
  withinMs: SITE_MS + 4_500,
  async run({ site, names, get }) {
    const looked = await site();
    if (!looked) return skipped('it is not known which there are: no gateway answers');
    if (looked.linkDomain === undefined)
      return skipped(
        'it is not known which there are: LINK_DOMAIN is not set, and no gateway says it',
        'Set LINK_DOMAIN as the gateways have it.',
      );
    const hosts = hostsOf(looked).filter(({ kind }) => kind !== 'api');
    const asked = await askEach(hosts, names, async (host) => ({ host, fault: await faultOf(get, host) }));
    if (asked.length === 0) return skipped('none of their names resolves');
    // Link hosts and open hosts share one DNS record, one certificate and one proxy.
    const faults = folded(asked.flatMap(({ fault }) => fault ?? []));
    if (faults.length > 0) return faults;
    const answering = asked.map(({ host }) => host.host);
    const others = asked.length === hosts.length ? '' : '; the others do not resolve';
    return ok(`${some(answering, 4)} answer as Landfall${others}`);
  },
};

async function faultOf(get: Get, { host, url }: Host): Promise<Said | undefined> {
  try {
    const live = await get(`${url}/livez`);
    if (!isLandfall(live)) return notLandfall(url, live);
    const root = await get(`${url}/`);
    // On the host name of an app, `/` never redirects to the page of the API.
    if (root.headers.location === '/docs')
      return fail(
        `${host} reaches the gateway under another name: its links are not found`,
        'Have the proxy pass the Host header on as it came: in nginx proxy_set_header Host $http_host.',
      );
    return certificateFinding(url, live, Date.now());
  } catch (error) {
    const { says, remedy } = explain(error);
    return fail(`${url} cannot be reached: ${says}`, remedy);
  }
}
