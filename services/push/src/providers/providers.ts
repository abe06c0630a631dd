// The connections of all apps: one set for an app and provider, kept while it is used.
import type { AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { PushKind } from '@landfall/contracts';
import { type PushCredentials, readPushCredentials } from '@landfall/runtime';
import { createApnsProvider } from './apns.ts';
import { createFcmProvider } from './fcm.ts';
import { LONGEST_SEND_MS, type PushProvider } from './provider.ts';

export interface ProviderSettings {
  /** `https://host:port` instead of Google's, for tests and the demo. Access tokens come from its `/token`. */
  readonly fcmUrl?: string | undefined;
  /** `https://host:port` instead of Apple's two hosts. */
  readonly apnsUrl?: string | undefined;
  /** The authorities of their certificates, as PEM. */
  readonly ca?: string | undefined;
  /** Milliseconds that a provider may take to answer; never more than a quarter of `LONGEST_SEND_MS`. */
  readonly timeoutMs?: number;
  /** Apps and providers whose connections are kept; of more, those go that were not used for the longest time. */
  readonly most?: number;
}

export interface Providers {
  /**
   * Returns the provider that the app sends with. A provider with other credentials, or one for which there is no room,
   * finishes its pushes and is closed. A caller that still holds it gets `retry`.
   */
  get(appId: string, kind: PushKind, credentials: StoredCredentials): PushProvider;
  /** One that is not kept, to `check` credentials with. Whoever made it closes it. */
  make(credentials: PushCredentials): PushProvider;
  /** Resolves when what was under way has its outcome and all connections are closed. */
  close(): Promise<void>;
}

/** Of an app and provider. */
export interface StoredCredentials {
  /** Names them: another one whenever they are set, and when somebody says that they are good again. */
  readonly key: string;
  /** As `writePushCredentials` writes them. */
  readonly opened: string;
}

interface Kept {
  credentials: string;
  provider: PushProvider;
}

const TIMEOUT_MS = 12_000;
const MOST = 200;

export function createProviders(settings: ProviderSettings): Providers {
  const { most = MOST, ca } = settings;
  // FCM may be asked for an access token first, and both once more with another token: four times at the most.
  const timeoutMs = Math.min(settings.timeoutMs ?? TIMEOUT_MS, LONGEST_SEND_MS / 4);
  const toFcm = { connect: connectTo(settings.fcmUrl, ca), timeoutMs };
  const toApns = { connect: connectTo(settings.apnsUrl, ca), timeoutMs };
  // In the order of use, the oldest first.
  const kept = new Map<string, Kept>();
  let latest: Kept | undefined;
  const closing = new Set<Promise<void>>();

  const make = (credentials: PushCredentials): PushProvider =>
    credentials.kind === 'fcm' ? createFcmProvider(credentials, toFcm) : createApnsProvider(credentials, toApns);

  function letGo(key: string): void {
    const { provider } = kept.get(key)!;
    kept.delete(key);
    const done = provider.close().finally(() => closing.delete(done));
    closing.add(done);
  }

  return {
    get(appId, kind, credentials) {
      const key = `${appId} ${kind}`;
      const there = kept.get(key);
      if (there?.credentials === credentials.key) {
        // Asked for with each push: what was used last stays where it is.
        if (there !== latest) {
          kept.delete(key);
          kept.set(key, there);
          latest = there;
        }
        return there.provider;
      }
      const provider = make(readPushCredentials(credentials.opened));
      if (there) letGo(key);
      latest = { credentials: credentials.key, provider };
      kept.set(key, latest);
      if (kept.size > most) letGo(kept.keys().next().value!);
      return provider;
    },
    make,
    async close() {
      for (const key of [...kept.keys()]) letGo(key);
      await Promise.all(closing);
    },
  };
}

/** Options win over what the libraries ask for: the same requests go to another server, which shows its own certificate. */
function connectTo(
  url: string | undefined,
  ca: string | undefined,
): Pick<AgentOptions, 'host' | 'port' | 'servername' | 'ca'> & { ca?: string } {
  if (!url) return ca ? { ca } : {};
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port || 443), servername: isIP(host) ? '' : host, ...(ca ? { ca } : {}) };
}
