// Asks PUBLIC_URL and single gateways, and lists the apps. All checks share the result.
import { randomInt } from 'node:crypto';
import { AppSettings, SeeGateway } from '@landfall/contracts';
import { z } from 'zod';
import { bareHost, isInside } from './addresses.ts';
import type { databaseRepository } from './database-repository.ts';
import { explain, type Fault, type Get, type Got, isLandfall, jsonOf } from './get.ts';
import type { Names } from './names.ts';
import type { Setup } from './setup.ts';

/** The answer to `/api/manage/gateway`. The console asks a gateway for it. `caller` is what the console itself sees. */
const GatewayView = SeeGateway.reply.extend({
  caller: z.object({
    peer: z.string(),
    trusted: z.boolean(),
    forwardedFor: z.string().nullable(),
    address: z.string(),
    matchable: z.boolean(),
  }),
});
export type GatewayView = z.output<typeof GatewayView>;

export interface Readiness {
  status: number;
  checks: Readonly<Record<string, { ok: boolean; detail?: string | undefined }>>;
}

/** A URL that may lead to gateways and the console, and the answers from it. */
export interface Door {
  url: string;
  /** The answer of `/livez`, or undefined when there was none. */
  live?: Got;
  fault?: Fault;
  landfall: boolean;
  ready?: Readiness;
  view?: GatewayView;
  viewed?: Got;
  noView?: string;
  notHere?: boolean;
}

export type Site = Awaited<ReturnType<typeof lookAtSite>>;

interface SiteParts {
  setup: Setup;
  names: Names;
  get: Get;
  /** Reads the apps from the database, if there is one, for when the service is down. */
  storedApps: ReturnType<typeof databaseRepository>['apps'] | undefined;
}

/** The number of requests to the front at a time. Over Kafka any gateway answers each of them. */
const FRONT_SAMPLES = 8;
/** Which gateway answers is chance: in one round of 256, the same one of two answers all requests. */
const FEWEST_ROUNDS = 2;
const MOST_ROUNDS = 4;

export async function lookAtSite({ setup, names, get, storedApps }: SiteParts) {
  // The address is from the range for documentation, so no client has it.
  const marker = `203.0.113.${randomInt(1, 255)}`;
  const given = setup.publicUrl ?? setup.localUrl;
  const [first, ...others] = await Promise.all([given, ...setup.gateways.filter((url) => url !== given)].map(lookAt));
  const known = [first!, ...others].find(({ view }) => view)?.view;
  const publicUrl = setup.publicUrl ?? known?.publicUrl ?? given;
  const fallback = setup.publicUrl === undefined ? new URL(given).host : undefined;
  const linkDomain = setup.linkDomain ?? known?.linkDomain ?? fallback;
  const front = publicUrl === given ? first! : await lookAt(publicUrl);
  const [samples, apps] = await Promise.all([
    setup.kafka && front.view ? gatewaysBehind(front) : [],
    findApps([front, first!, ...others]),
  ]);
  return {
    publicUrl,
    /** Undefined when neither the settings nor a gateway give it. */
    linkDomain,
    /** The host with an AAAA record only, where clients prove their IPv6 address. Undefined when there is none. */
    ipv6Host: known?.ipv6Host ?? undefined,
    front,
    /** Single gateways and the front. The front may appear several times, because several gateways may be behind it. */
    doors: [...new Set([front, first!, ...others, ...samples])],
    /** The newest apps first, 100 at most. Undefined when neither the management API nor the database lists them. */
    apps,
    /** The made-up client address that doctor sends with its requests. */
    marker,
  };

  async function lookAt(url: string): Promise<Door> {
    let live: Got;
    try {
      live = await get(`${url}/livez`);
    } catch (error) {
      return { url, fault: explain(error), landfall: false };
    }
    if (!isLandfall(live)) return { url, live, landfall: false };
    // Over Kafka a single gateway does not serve the management API.
    const single = setup.kafka !== undefined && setup.gateways.includes(url);
    const [ready, seen] = await Promise.all([
      readinessOf(get, url).catch(() => undefined),
      single ? { noView: 'a single gateway does not serve the management API' } : view(url),
    ]);
    return { url, live, landfall: true, ...(ready && { ready }), ...seen };
  }

  /** Asks two rounds, and more until a round brings no other gateway. */
  async function gatewaysBehind(door: Door): Promise<Door[]> {
    const found = new Map<string | undefined, Door>([[door.view?.instance, door]]);
    for (let round = 0, before = 0; round < MOST_ROUNDS && (round < FEWEST_ROUNDS || found.size > before); round++) {
      before = found.size;
      const views = await Promise.all(Array.from({ length: FRONT_SAMPLES }, () => view(door.url)));
      for (const one of views)
        if (one.view && !found.has(one.view.instance)) found.set(one.view.instance, { ...door, ...one });
    }
    return [...found.values()];
  }

  /** Returns how a made-up client address arrives. Sends the token only over https or inside the network. */
  async function view(url: string): Promise<Pick<Door, 'view' | 'viewed' | 'noView' | 'notHere'>> {
    if (setup.ownerToken === undefined) return { noView: 'there is no owner token: set OWNER_TOKEN or LANDFALL_TOKEN' };
    if (!url.startsWith('https:') && !(await staysInside(names, url)))
      return {
        noView: `the owner token would travel to ${bareHost(url)} in the clear: use https, or run doctor beside the services`,
      };
    try {
      const viewed = await get(`${url}/api/manage/gateway`, { ...bearer(setup), 'x-forwarded-for': marker });
      if (viewed.status === 401)
        return { noView: 'the console does not take the owner token: OWNER_TOKEN or LANDFALL_TOKEN is another one' };
      if (viewed.status === 404)
        return { noView: 'the management API is served under another name: its PUBLIC_URL is another', notHere: true };
      if (viewed.status !== 200)
        return {
          noView: `the management API could not say how it sees us (status ${viewed.status}): see the console and the gateways`,
        };
      const parsed = z.object({ gateway: GatewayView }).safeParse(jsonOf(viewed));
      if (!parsed.success) return { noView: 'the gateway or the console is of another version than this doctor' };
      return { view: parsed.data.gateway, viewed };
    } catch (error) {
      return { noView: `asked how it sees us: ${explain(error).says}` };
    }
  }

  async function findApps(doors: readonly Door[]): Promise<readonly KnownApp[] | undefined> {
    const door = doors.find(({ view }) => view);
    if (door) {
      const got = await get(`${door.url}/api/manage/apps?limit=100`, bearer(setup)).catch(() => undefined);
      const listed = z.object({ apps: z.array(AppShape) }).safeParse(got && jsonOf(got));
      if (listed.success) return listed.data.apps;
    }
    try {
      return (await storedApps?.())?.map(({ settings, ...app }) => AppShape.parse({ ...app, ...(settings as object) }));
    } catch {
      return undefined;
    }
  }
}

const AppShape = AppSettings.pick({ ios: true, android: true, matching: true }).extend({
  /** Undefined when the list of apps comes from the database. */
  id: z.string().optional(),
  name: z.string(),
  subdomain: z.string(),
  domains: z.array(z.string()).default([]),
});
export type KnownApp = z.output<typeof AppShape>;

export const bearer = ({ ownerToken }: Pick<Setup, 'ownerToken'>) => ({ authorization: `Bearer ${ownerToken}` });

/** No outsider can read messages to the URL. False when its host does not resolve. */
export async function staysInside(names: Names, url: string): Promise<boolean> {
  const { v4, v6 } = await names.resolve(bareHost(url));
  const all = [...v4, ...v6];
  return all.length > 0 && all.every(isInside);
}

/** Rejects when the process does not answer. */
export async function readinessOf(get: Get, url: string): Promise<Readiness | undefined> {
  const got = await get(`${url}/readyz`);
  const parsed = z
    .object({ checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })) })
    .safeParse(jsonOf(got));
  return parsed.success ? { status: got.status, checks: parsed.data.checks } : undefined;
}
