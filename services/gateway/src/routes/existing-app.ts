// The app of a request that was authorised.
import type { App } from '@landfall/contracts';
import { ApiError } from '../http/errors.ts';
import type { Lookups } from '../lookups/lookups.ts';

/** Throws 404 where there is none: what was there when the request was authorised may be gone. */
export async function existingApp(appId: string, lookups: Lookups): Promise<App> {
  const app = await lookups.app(appId);
  if (!app) throw new ApiError('APP_NOT_FOUND');
  return app;
}
