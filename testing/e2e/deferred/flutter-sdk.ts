// The public Flutter SDK as far as a server can tell: what it sends, what it reads, and what it does with it. Where it
// would throw or swallow, this does too.
import { LINK_DOMAIN, type Received, SDK, type System } from '@landfall/testkit';
import type { Json } from '../http/json-schema.ts';

export interface SdkOptions {
  key: string;
  appId: string;
  /** On Android the same for every phone of one model; on iOS the vendor's id. */
  deviceFingerprint: string;
  /** The phone's address. */
  ip: string;
  /** Ends with a slash where the app's developer wrote one. */
  baseUrl?: string;
}

export interface Opened {
  /** The place to which the app navigated. */
  path: string;
  metadata: Json;
  parameters: Json;
  /** The SDK's UTM getters look nowhere else than into metadata. */
  utmSource: unknown;
}

/** A failure as the SDK hands it to the app. */
export class SdkError extends Error {
  readonly status: number;
  readonly facts: Json;
  constructor(status: number, facts: Json) {
    super(String(facts.error));
    this.status = status;
    this.facts = facts;
  }
}

const DAY_MS = 24 * 3_600_000;

/** An installed app. What it remembers is gone when it is deleted, so make another one for another install. */
export function flutterSdk(
  system: System,
  { key, appId, deviceFingerprint, ip, baseUrl = 'http://api.test' }: SdkOptions,
) {
  const navigated: string[] = [];
  const background: Promise<unknown>[] = [];
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  /** Only 200 with `success: true` is a success, and a redirect is a failure like any other. */
  async function call(method: string, path: string, body?: Json): Promise<Json> {
    const { pathname } = new URL(baseUrl);
    const answer = await system.send({
      method,
      path: `${pathname === '/' && !baseUrl.endsWith('/') ? '' : pathname}${path}`,
      ip,
      headers: { 'x-openlynk-sdk-key': key, 'user-agent': SDK, 'content-type': 'application/json; charset=utf-8' },
      body: body && JSON.stringify({ appId, ...body }),
    });
    const json = read(answer);
    if (answer.status !== 200 || json.success !== true) throw new SdkError(answer.status, json);
    return json;
  }

  async function open(uri: string): Promise<Opened | null> {
    const url = new URL(uri);
    const query = new URLSearchParams({ slug: uri.split(/[?#]/)[0]!.split('/').at(-1)!, appId });
    if (url.hostname) query.set('hostname', url.hostname);
    try {
      const { link } = await call('GET', `/api/links/get-by-slug?${query}`);
      for (const name of ['id', 'slug', 'destination_web_url', 'destination_path', 'destination']) asText(link[name]);
      return show(link);
    } catch {
      return null;
    }
  }

  function show({ destination, metadata, parameters }: Json): Opened {
    navigated.push(asText(destination));
    return {
      path: destination,
      metadata: asMap(metadata),
      parameters: asMap(parameters),
      utmSource: metadata.utm_source,
    };
  }

  /** At most one in 24 hours, marked only when it was answered. */
  async function heartbeat(): Promise<void> {
    if (system.clock() - heartbeatAt < DAY_MS) return;
    const startedAt = system.clock();
    try {
      await call('POST', '/api/deferred-deep-linking/install-heartbeat', { deviceFingerprint });
      heartbeatAt = startedAt;
    } catch {
      // The next start tries again.
    }
  }

  async function restore(who: { userEmail: string } | { deviceFingerprint: string }): Promise<Opened[]> {
    const { restoredLinks } = await call('POST', '/api/deferred-deep-linking/restore', who);
    if (!Array.isArray(restoredLinks)) throw new Error('restoredLinks is no list');
    return restoredLinks.map((item: Json) => {
      for (const name of ['pending_link_id', 'original_url', 'link_id', 'destination_url', 'destination_path'])
        asText(item[name]);
      return show(item);
    });
  }

  return {
    /** Every screen, in order: the app is left on the last. */
    navigated,

    /** From the app's server, or from a share button in the app. */
    async createLink(destination: string, metadata: Json = {}) {
      const more = Object.keys(metadata).length > 0 ? { metadata } : {};
      const { link } = await call('POST', '/api/links/create-sdk', { destination, ...more });
      for (const name of ['id', 'slug', 'url', 'destination']) asText(link[name]);
      return { id: link.id, slug: link.slug, url: link.url, metadata: asMap(link.metadata) };
    },

    /**
     * A cold start. With a link, which the system hands over, that is opened; without one the app asks what was tapped
     * before, each time, and does not wait for its heartbeat.
     */
    async start({ link, userEmail }: { link?: string; userEmail?: string } = {}): Promise<Opened[]> {
      background.push(heartbeat());
      if (link !== undefined) return [await open(link)].filter((opened) => opened !== null);
      return restore(userEmail === undefined ? { deviceFingerprint } : { userEmail });
    },

    /** The token is Firebase's on every phone. Without an email nobody is signed in; a failure is swallowed. */
    async registerForPush(deviceToken: string, platform: 'ios' | 'android', userEmail?: string): Promise<boolean> {
      const more = userEmail === undefined ? {} : { userEmail };
      return call('POST', '/api/push/register', { deviceToken, platform, ...more }).then(
        () => true,
        () => false,
      );
    },

    /** A person taps a push: what came with it says where to go, and is all that the SDK knows. */
    async tapPush(data: Record<string, string>): Promise<void> {
      const { notificationId, deviceToken, destinationPath, metadata } = data;
      if (notificationId !== undefined) {
        const more = deviceToken === undefined ? {} : { deviceToken };
        background.push(call('POST', '/api/push/opened', { notificationId, ...more }));
      }
      const query = new URLSearchParams(asMap(JSON.parse(metadata ?? '{}'))).toString();
      navigated.push(`${destinationPath ?? '/'}${query && '?'}${query}`);
    },

    /** A link reaches the running app: any URI that the system knows the app for. */
    open,

    /** Resolves when nothing is under way any more. */
    idle: () => Promise.all(background),
  };
}

/** Dart decodes a body as Latin-1 unless its type says UTF-8. */
function read({ headers, text }: Received): Json {
  const isUtf8 = /charset=utf-8/i.test(headers['content-type'] ?? '');
  return asMap(JSON.parse(isUtf8 ? text : Buffer.from(text).toString('latin1')));
}

function asText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is no text`);
  return value;
}

function asMap(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('this is no map');
  return value;
}

/** The URL that iOS or Android hands to an installed app for a tap on a link. */
export const handedOver = (app: { subdomain: string }, slug: string): string =>
  `https://${app.subdomain}.${LINK_DOMAIN}/${slug}`;
