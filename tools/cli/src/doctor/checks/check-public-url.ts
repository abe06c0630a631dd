import { bareHost, isOnlyHere } from '../facts/addresses.ts';
import { SITE_MS } from '../facts/facts.ts';
import type { Got } from '../facts/get.ts';
import { type Door, type Readiness, readinessOf, type Site } from '../facts/site.ts';
import { fail, ok, type Said, skipped, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const publicUrlCheck: Check = {
  name: 'public url',
  withinMs: SITE_MS + 500,
  async run({ site, setup }) {
    const looked = await site();
    if (looked) return publicUrlFinding(looked, setup.publicUrl, Date.now());
    return fail(
      'nothing was found out in time',
      'See that the gateway and the proxy in front of it run and are not overloaded.',
    );
  },
};

/** @param given the PUBLIC_URL in the settings of doctor */
function publicUrlFinding({ publicUrl, front }: Site, given: string | undefined, now: number): Said {
  if (front.fault) {
    const elsewhere = given === undefined ? ' If it is elsewhere, set PUBLIC_URL.' : '';
    return fail(`${publicUrl} cannot be reached: ${front.fault.says}`, `${front.fault.remedy}${elsewhere}`);
  }
  if (!front.landfall) return notLandfall(publicUrl, front.live!);
  const { view } = front;
  const remedy = 'Give doctor, the gateways and the console the same PUBLIC_URL, the one that the world uses.';
  if (front.notHere)
    return fail(
      `the management API is not served under ${publicUrl}: PUBLIC_URL of the services is another`,
      `${remedy} A proxy in front sends /api/manage to the console (docs/guides/scaling-out.md).`,
    );
  if (view && view.publicUrl !== publicUrl)
    return fail(
      `${publicUrl} leads to a gateway whose PUBLIC_URL is ${view.publicUrl}: that is what its links are made of`,
      remedy,
    );
  const certificate = certificateFinding(publicUrl, front.live!, now);
  if (certificate) return certificate;
  const says = `${publicUrl} answers as Landfall`;
  if (publicUrl.startsWith('https:'))
    return ok(`${says}; its certificate is good for ${daysLeft(front.live!, now)} days`);
  if (isOnlyHere(bareHost(publicUrl)))
    return ok(`${says}; without https, which is enough for trying it on this machine or network`);
  return warn(
    `${says}, but without https: keys and taps are readable on their way, and neither iOS nor Android opens the app for its links`,
    'Put a proxy with a certificate in front (docs/guides/real-phone.md) and set PUBLIC_URL=https://….',
  );
}

export function notLandfall(url: string, { status, headers }: Got): Said {
  if (status >= 300 && status < 400)
    return fail(
      `${url} redirects to ${headers.location ?? 'elsewhere'}`,
      'Serve it without a redirect: SDKs, Apple and Google follow none. PUBLIC_URL must be the address that answers itself.',
    );
  if (status >= 502 && status <= 504)
    return fail(
      `${url} answers ${status}: a proxy is there, and no gateway behind it`,
      'Start the gateway, or correct where the proxy looks for it.',
    );
  return fail(
    `${url} answers, but not as Landfall (status ${status} for /livez)`,
    'Something else is served there: correct the name, the DNS record or where the proxy sends it.',
  );
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;
const VERY_SOON_DAYS = 3;

const daysLeft = ({ validTo }: Got, now: number): number => Math.floor(((validTo?.getTime() ?? now) - now) / DAY_MS);

/** Undefined: the certificate does not end soon. */
export function certificateFinding(url: string, got: Got, now: number): Said | undefined {
  if (got.validTo === null) return undefined;
  const days = daysLeft(got, now);
  if (days >= SOON_DAYS) return undefined;
  return (days < VERY_SOON_DAYS ? fail : warn)(
    `the certificate of ${url} ends in ${days} ${days === 1 ? 'day' : 'days'}`,
    'Renew it, and see why that does not happen by itself.',
    { validTo: got.validTo.toISOString() },
  );
}

export const processesCheck: Check = {
  name: 'processes',
  withinMs: SITE_MS + 2_500,
  async run({ site, setup, get }) {
    const looking = site();
    const workers = setup.processes.map(async ({ name, url }) => ({
      name,
      ready: await readinessOf(get, url).catch(() => undefined),
    }));
    const looked = await looking;
    const gateways = (looked?.doors ?? [])
      // The proxy check and the line "public url" already report a front that is not Landfall.
      .filter((door) => door !== looked!.front || door.landfall)
      .map((door) => ({ name: nameOf(door, setup.kafka !== undefined), ready: door.ready }));
    return processesFindings([...gateways, ...(await Promise.all(workers))]);
  },
};

/** Over Kafka any gateway may have answered for its view. */
const nameOf = ({ view, url }: Door, overKafka: boolean): string =>
  view && !overKafka ? `gateway ${view.instance}` : `the gateway at ${url}`;

/** The line "proxy" reports these checks. */
const ELSEWHERE = ['proxies'];
const STATES = ['ready', 'starting', 'stopping'];

function processesFindings(all: readonly { name: string; ready: Readiness | undefined }[]): Said | Said[] {
  const processes = new Map(all.map(({ name, ready }) => [name, ready]));
  if (processes.size === 0)
    return skipped(
      'no process says how it is',
      'Name gateways with --gateway <url>, and the METRICS_PORT of other processes with --process <url>.',
    );
  const found = [...processes].flatMap(([name, ready]) => {
    if (!ready) return fail(`${name} does not say how it is`, 'Start it, or see in its log why it ended.');
    return Object.entries(ready.checks).flatMap(([check, { ok: well, detail }]) => {
      const remedy = `Its /readyz says so: see its log, and the other lines here for ${check}.`;
      if (!well) return fail(`${name} is not ready: ${check}${detail === undefined ? '' : `: ${detail}`}`, remedy);
      if (detail === undefined || STATES.includes(detail) || ELSEWHERE.includes(check)) return [];
      return warn(`${name} says of its ${check}: ${detail}`, remedy);
    });
  });
  if (found.length > 0) return found;
  return ok(`${[...processes.keys()].join(', ')} ${processes.size === 1 ? 'is' : 'are'} ready`);
}
