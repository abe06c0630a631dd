// The connections of all apps. There is one set for each app and provider, kept while it is used.
import { isIP } from 'node:net';
import type { PushKind } from '@landfall/contracts';
import { type PushCredentials, readPushCredentials } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import { createApnsProvider } from './apns.ts';
import { createFcmProvider } from './fcm.ts';
import type { Http2Options } from './http2-line.ts';
import type { PushProvider } from './provider.ts';

export interface ProviderSettings {
  /**
   * `https://host:port` that replaces Google's servers, for tests and the demo. Access tokens come from its `/token`.
   */
  readonly fcmUrl?: string | undefined;
  /** `https://host:port` that replaces Apple's two hosts. */
  readonly apnsUrl?: string | undefined;
  /** The certificate authorities of these servers, as PEM. */
  readonly ca?: string | undefined;
  /** The number of pairs of app and provider whose connections are kept: the most recently used. */
  readonly most?: number;
}

/** The credentials of an app for one provider. */
export interface StoredCredentials {
  /** Changes whenever the credentials are set, and when a person confirms that they are good again. */
  readonly key: string;
  /** The credentials in the format of `writePushCredentials`. */
  readonly opened: string;
}

interface Kept {
  credentials: string;
  provider: PushProvider;
}

/**
 * Milliseconds that a server may take to answer. FCM may need a request for an access token first, and both requests may
 * be repeated once: four times as long is less than the lease on a push.
 */
const TIMEOUT_MS = 12_000;
const MOST = 200;

export function createProviders(settings: ProviderSettings) {
  const { most = MOST, ca } = settings;
  const toFcm = { connect: connectTo(settings.fcmUrl, ca), timeoutMs: TIMEOUT_MS };
  const toApns = { connect: connectTo(settings.apnsUrl, ca), timeoutMs: TIMEOUT_MS };
  const closing = new Set<Promise<void>>();
  const kept = new LRUCache<string, Kept>({
    max: most,
    dispose({ provider }) {
      const done = provider.close().finally(() => closing.delete(done));
      closing.add(done);
    },
  });

  const make = (credentials: PushCredentials): PushProvider =>
    credentials.kind === 'fcm' ? createFcmProvider(credentials, toFcm) : createApnsProvider(credentials, toApns);

  return {
    /**
     * Returns the provider that the app sends with. Closes a provider with other credentials, or a provider for which
     * there is no room, after its pushes are finished. A caller that still holds a closed provider gets `retry`.
     */
    get(appId: string, kind: PushKind, credentials: StoredCredentials): PushProvider {
      const key = `${appId} ${kind}`;
      const there = kept.get(key);
      if (there?.credentials === credentials.key) return there.provider;
      const provider = make(readPushCredentials(credentials.opened));
      kept.set(key, { credentials: credentials.key, provider });
      return provider;
    },
    /** Creates a provider that is not kept, to `check` credentials with. The caller closes it. */
    make,
    /** Resolves when all pushes under way have their outcome and all connections are closed. */
    async close(): Promise<void> {
      kept.clear();
      await Promise.all(closing);
    },
  };
}

/** The options override those of the libraries: the same requests go to another server, with its own certificate. */
function connectTo(url: string | undefined, ca: string | undefined): Http2Options['connect'] {
  const trusted = ca ? { ca } : {};
  if (!url) return trusted;
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port || 443), servername: isIP(host) ? '' : host, ...trusted };
}
