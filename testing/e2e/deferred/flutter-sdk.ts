// A copy of the public Flutter SDK as a server sees it: the requests that it sends, the fields that it reads, and what
// it does with them. It throws or swallows errors where the SDK does.
import { LINK_DOMAIN, type Received, SDK, type System } from '@landfall/testkit';
import type { Json } from '../http/json-schema.ts';

export interface SdkOptions {
  key: string;
  appId: string;
  /** On Android, all phones of one model have the same fingerprint. On iOS, it is the vendor id. */
  deviceFingerprint: string;
  /** The IP address of the phone. */
  ip: string;
  /** Ends with a slash when the developer of the app wrote one. */
  baseUrl?: string;
}

export interface Opened {
  /** The destination to which the app navigates. */
  path: string;
  metadata: Json;
  parameters: Json;
  /** The UTM getters of the SDK read only the metadata. */
  utmSource: unknown;
}

/** The error that the SDK throws to the app. */
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

/** Returns an installed app. A deleted app forgets everything, so create a new instance for a new install. */
export function flutterSdk(
  system: System,
  { key, appId, deviceFingerprint, ip, baseUrl = 'http://api.test' }: SdkOptions,
) {
  const navigated: string[] = [];
  const background: Promise<unknown>[] = [];
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  /**
   * Calls the API. Only an answer with status 200 and `success: true` is a success. A redirect is a failure like every
   * other failure.
   */
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

  /** Sends at most one heartbeat in 24 hours. A heartbeat counts only after a successful answer. */
  async function heartbeat(): Promise<void> {
    if (system.clock() - heartbeatAt < DAY_MS) return;
    const startedAt = system.clock();
    try {
      await call('POST', '/api/deferred-deep-linking/install-heartbeat', { deviceFingerprint });
      heartbeatAt = startedAt;
    } catch {
      // The next start retries.
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
    /** All destinations that the app showed, in order. The app stays on the last one. */
    navigated,

    /** Creates a link, as the server of the app or a share button in the app does. */
    async createLink(destination: string, metadata: Json = {}) {
      const more = Object.keys(metadata).length > 0 ? { metadata } : {};
      const { link } = await call('POST', '/api/links/create-sdk', { destination, ...more });
      for (const name of ['id', 'slug', 'url', 'destination']) asText(link[name]);
      return { id: link.id, slug: link.slug, url: link.url, metadata: asMap(link.metadata) };
    },

    /**
     * A cold start. With a link from the operating system, the app opens that link. Without a link, the app asks on
     * each start for links that the person tapped before. The restore does not wait for the heartbeat.
     */
    async start({ link, userEmail }: { link?: string; userEmail?: string } = {}): Promise<Opened[]> {
      background.push(heartbeat());
      if (link !== undefined) return [await open(link)].filter((opened) => opened !== null);
      return restore(userEmail === undefined ? { deviceFingerprint } : { userEmail });
    },

    /**
     * Registers a push token, which is a Firebase token on every phone. Without an email, no user is signed in. Returns
     * false on failure: the SDK swallows errors.
     */
    async registerForPush(deviceToken: string, platform: 'ios' | 'android', userEmail?: string): Promise<boolean> {
      const more = userEmail === undefined ? {} : { userEmail };
      return call('POST', '/api/push/register', { deviceToken, platform, ...more }).then(
        () => true,
        () => false,
      );
    },

    /**
     * Simulates a tap on a push. The data of the push gives the destination, and the SDK knows nothing else about it.
     */
    async tapPush(data: Record<string, string>): Promise<void> {
      const { notificationId, deviceToken, destinationPath, metadata } = data;
      if (notificationId !== undefined) {
        const more = deviceToken === undefined ? {} : { deviceToken };
        background.push(call('POST', '/api/push/opened', { notificationId, ...more }));
      }
      const query = new URLSearchParams(asMap(JSON.parse(metadata ?? '{}'))).toString();
      navigated.push(`${destinationPath ?? '/'}${query && '?'}${query}`);
    },

    /** Opens a link that reaches the running app: any URI that the system opens with the app. */
    open,

    /** Resolves when no background call is in progress. */
    idle: () => Promise.all(background),
  };
}

/** Reads the body. Dart decodes a body as Latin-1 unless its content type says UTF-8. */
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

/** Returns the URL that iOS or Android gives to an installed app for a tap on a link. */
export const handedOver = (app: { subdomain: string }, slug: string): string =>
  `https://${app.subdomain}.${LINK_DOMAIN}/${slug}`;
