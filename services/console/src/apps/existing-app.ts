// Finds the app of an authorised request.

import type { App } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Lookups } from '../lookups/lookups.ts';

/** Throws 404 when the app no longer exists. It may have been removed after the authorisation. */
export async function existingApp(appId: string, lookups: Lookups): Promise<App> {
  const app = await lookups.app(appId);
  if (!app) throw new ApiError('APP_NOT_FOUND');
  return app;
}
