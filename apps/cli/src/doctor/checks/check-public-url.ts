// Checks PUBLIC_URL from outside, and the readiness of each process.

import { bareHost, isAddress, isInside, isLocalName } from '../facts/addresses.ts';
import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import type { Got } from '../facts/get.ts';
import { type Door, readinessOf, type Site } from '../facts/site.ts';
import { type Finding, fail, ok, skipped, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const publicUrlCheck: Check<Facts> = {
  name: 'public url',
  withinMs: SITE_MS + 500,
  async run({ site, setup }) {
    const looked = await site();
    if (!looked)
      return [
        fail(
          'public url',
          'nothing was found out in time',
          'See that the gateway and the proxy in front of it run and are not overloaded.',
        ),
      ];
    return publicUrlFindings(looked, setup.publicUrl, Date.now());
  },
};

/** @param given the PUBLIC_URL in the settings of doctor */
export function publicUrlFindings({ publicUrl, front }: Site, given: string | undefined, now: number): Finding[] {
  const name = 'public url';
  if (front.fault)
    return [
      fail(
        name,
        `${publicUrl} cannot be reached: ${front.fault.says}`,
        given === undefined ? `${front.fault.remedy} If it is elsewhere, set PUBLIC_URL.` : front.fault.remedy,
      ),
    ];
  if (!front.landfall) return [notLandfall(name, publicUrl, front.live!)];
  const { view } = front;
  const remedy = 'Give doctor, the gateways and the console the same PUBLIC_URL, the one that the world uses.';
  if (front.notHere)
    return [
      fail(
        name,
        `the management API is not served under ${publicUrl}: PUBLIC_URL of the services is another`,
        `${remedy} A proxy in front sends /api/manage to the console (docs/guides/scaling-out.md).`,
      ),
    ];
  if (view && view.publicUrl !== publicUrl)
    return [
      fail(
        name,
        `${publicUrl} leads to a gateway whose PUBLIC_URL is ${view.publicUrl}: that is what its links are made of`,
        remedy,
      ),
    ];
  const host = bareHost(publicUrl);
  const certificate = certificateFinding(name, publicUrl, front.live!, now);
  if (certificate) return [certificate];
  if (publicUrl.startsWith('https:'))
    return [
      ok(name, `${publicUrl} answers as Landfall; its certificate is good for ${daysLeft(front.live!, now)} days`),
    ];
  if (isLocalName(host) || (isAddress(host) && isInside(host)))
    return [
      ok(
        name,
        `${publicUrl} answers as Landfall; without https, which is enough for trying it on this machine or network`,
      ),
    ];
  return [
    warn(
      name,
      `${publicUrl} answers as Landfall, but without https: keys and taps are readable on their way, and neither iOS nor Android opens the app for its links`,
      'Put a proxy with a certificate in front (docs/guides/real-phone.md) and set PUBLIC_URL=https://….',
    ),
  ];
}

/** Returns a finding with the kind of server that answers instead of Landfall. */
export function notLandfall(name: string, url: string, got: Pick<Got, 'status' | 'headers'>): Finding {
  const { location } = got.headers;
  if (got.status >= 300 && got.status < 400)
    return fail(
      name,
      `${url} redirects to ${location ?? 'elsewhere'}`,
      'Serve it without a redirect: SDKs, Apple and Google follow none. PUBLIC_URL must be the address that answers itself.',
    );
  if (got.status >= 502 && got.status <= 504)
    return fail(
      name,
      `${url} answers ${got.status}: a proxy is there, and no gateway behind it`,
      'Start the gateway, or correct where the proxy looks for it.',
    );
  return fail(
    name,
    `${url} answers, but not as Landfall (status ${got.status} for /livez)`,
    'Something else is served there: correct the name, the DNS record or where the proxy sends it.',
  );
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;
const VERY_SOON_DAYS = 3;

const daysLeft = ({ validTo }: Pick<Got, 'validTo'>, now: number): number =>
  Math.floor(((validTo?.getTime() ?? now) - now) / DAY_MS);

/** Returns a finding only when the certificate ends soon. */
export function certificateFinding(
  name: string,
  url: string,
  got: Pick<Got, 'validTo'>,
  now: number,
): Finding | undefined {
  if (got.validTo === null) return undefined;
  const days = daysLeft(got, now);
  if (days >= SOON_DAYS) return undefined;
  const says = `the certificate of ${url} ends in ${days} ${days === 1 ? 'day' : 'days'}`;
  return (days < VERY_SOON_DAYS ? fail : warn)(name, says, 'Renew it, and see why that does not happen by itself.', {
    validTo: got.validTo.toISOString(),
  });
}

export const processesCheck: Check<Facts> = {
  name: 'processes',
  withinMs: SITE_MS + 2_500,
  async run({ site, setup, get }) {
    const looked = site();
    const workers = setup.processes.map(async ({ name, url }) => ({
      name,
      ready: await readinessOf(get, url).catch(() => undefined),
    }));
    const doors = (await looked)?.doors ?? [];
    const front = (await looked)?.front;
    const gateways = doors
      // The proxy check and the line "public url" already report a front that is not Landfall.
      .filter((door) => door !== front || door.landfall)
      .map((door) => ({ name: nameOf(door, setup.kafka !== undefined), ready: door.ready }));
    return processesFindings([...gateways, ...(await Promise.all(workers))]);
  },
};

/** Over Kafka any gateway may have answered for its view. */
const nameOf = ({ view, url }: Door, overKafka: boolean): string =>
  view && !overKafka ? `gateway ${view.instance}` : `the gateway at ${url}`;

type Process = { name: string; ready: Awaited<ReturnType<typeof readinessOf>> };

/** The line "proxy" reports these checks. */
const ELSEWHERE = ['proxies'];
const STATES = ['ready', 'starting', 'stopping'];

export function processesFindings(all: readonly Process[]): Finding[] {
  const processes = [...new Map(all.map((one) => [one.name, one])).values()];
  if (processes.length === 0)
    return [
      skipped(
        'processes',
        'no process says how it is',
        'Name gateways with --gateway <url>, and the METRICS_PORT of other processes with --process <url>.',
      ),
    ];
  const found = processes.flatMap(({ name, ready }) => {
    if (!ready)
      return [fail('processes', `${name} does not say how it is`, 'Start it, or see in its log why it ended.')];
    return Object.entries(ready.checks).flatMap(([check, { ok: well, detail }]) => {
      const remedy = `Its /readyz says so: see its log, and the other lines here for ${check}.`;
      if (!well)
        return [
          fail('processes', `${name} is not ready: ${check}${detail === undefined ? '' : `: ${detail}`}`, remedy),
        ];
      if (detail === undefined || STATES.includes(detail) || ELSEWHERE.includes(check)) return [];
      return [warn('processes', `${name} says of its ${check}: ${detail}`, remedy)];
    });
  });
  return found.length > 0
    ? found
    : [
        ok(
          'processes',
          `${processes.map(({ name }) => name).join(', ')} ${processes.length === 1 ? 'is' : 'are'} ready`,
        ),
      ];
}
