// Decides where the simulated app takes the place of a store.

import type { App } from '@landfall/contracts';
import type { HttpConfig } from '@landfall/http';
import type { Request, Response } from 'express';

/** The first path segment of the simulated app, on the hosts of its app. It is reserved, so no link has it. */
export const SIMULATED_APP_SEGMENT = 'simulated-app';

/** Serves the simulated app. It lies above the link host, because it calls routes. */
export type ServeSimulatedApp = (app: App, req: Request, res: Response) => Promise<void>;

export type SimulatedStores = NonNullable<ReturnType<typeof simulatedStores>>;

/**
 * Returns the URL of the simulated app in place of each store that the app does not have. Null: the store is used.
 * @param tapped the URL of the link on the requested host, because the phone reaches this host
 */
export function simulatedStores(app: App, tapped: string, { SIMULATED_APP }: HttpConfig) {
  if (app.id !== SIMULATED_APP) return null;
  const url = new URL(`/${SIMULATED_APP_SEGMENT}`, tapped).href;
  const { ios, android } = app;
  return {
    apple: ios.storeUrl === null && (ios.storeId === null || isExample(ios.bundleId)) ? url : null,
    play: android.storeUrl === null && isExample(android.package) ? url : null,
  };
}

/** No store takes an app below `com.example`. */
const isExample = (id: string | null): boolean => id === null || id.startsWith('com.example.');
