// Decides where the simulated app takes the place of a store.

import type { App } from '@landfall/contracts';
import type { HttpConfig, HttpRequest, HttpResponse } from '@landfall/http';
import type { Visitor } from '../visitor/visitor.ts';

/** The first path segment of the simulated app, on the hosts of its app. It is reserved, so no link has it. */
export const SIMULATED_APP_SEGMENT = 'simulated-app';

/** Serves the simulated app. It lies above the link host, because it calls routes. */
export type ServeSimulatedApp = (app: App, req: HttpRequest, res: HttpResponse) => Promise<void>;

/** The app of SIMULATED_APP, and every app with no build, store, web page or domain: nobody can have it yet. */
export const isSimulated = (app: App, { SIMULATED_APP }: Pick<HttpConfig, 'SIMULATED_APP'>): boolean =>
  app.id === SIMULATED_APP || isNew(app);

function isNew({ ios, android, webFallbackUrl, domains }: App): boolean {
  const builds = [ios.bundleId, ios.appClipBundleId, android.package];
  const stores = [ios.storeId, ios.storeUrl, android.storeUrl, android.huaweiStoreUrl, android.amazonStoreUrl];
  return domains.length === 0 && [...builds, ...stores, webFallbackUrl].every((given) => given === null);
}

/** With this parameter a tap on a computer is one on an Android phone: nobody needs a phone to see a first restore. */
export const PHONE_PARAMETER = 'lf_phone';

/** Returns the visitor that the parameter makes of a computer, for a simulated app. */
export function asPlayed(visitor: Visitor, tappedQuery: string, app: App, config: HttpConfig): Visitor {
  if (visitor.kind !== 'person' || visitor.platform !== 'desktop' || !isSimulated(app, config)) return visitor;
  if (new URLSearchParams(tappedQuery).get(PHONE_PARAMETER) !== '1') return visitor;
  return { ...visitor, platform: 'android', store: 'play', maybeTablet: false };
}

export type SimulatedStores = NonNullable<ReturnType<typeof simulatedStores>>;

/**
 * Returns the URL of the simulated app in place of each store that the app does not have. Null: the store is used.
 * @param tapped the URL of the link on the requested host, because the phone reaches this host
 */
export function simulatedStores(app: App, tapped: string, config: HttpConfig) {
  if (!isSimulated(app, config)) return null;
  const url = new URL(`/${SIMULATED_APP_SEGMENT}`, tapped).href;
  const lacking = storesWithout(app);
  return { apple: lacking.apple ? url : null, play: lacking.play ? url : null };
}

/** Says of each store whether it lacks the app. The number in the store of an example is made up. */
export const storesWithout = ({ ios, android }: Pick<App, 'ios' | 'android'>) => ({
  apple: ios.storeUrl === null && (ios.storeId === null || isExample(ios.bundleId)),
  play: android.storeUrl === null && isExample(android.package),
});

export const NOT_IN_STORE = 'No store has the app yet, so the simulated app takes the place of the store.';

/** No store takes an app below `com.example`. */
const isExample = (id: string | null): boolean => id === null || id.startsWith('com.example.');
