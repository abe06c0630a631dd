// The event that clears an app from caches and tells other services its time zone.
import type { App, AppChanged, DataOf } from '@landfall/contracts';

/** The data of an `AppChanged` event. A change stores it, so that a redelivered message sends the same event. */
export type AppState = DataOf<typeof AppChanged>;

export const stateOf = (app: Pick<App, 'id' | 'version' | 'timeZone'>, hosts: string[]): AppState => ({
  appId: app.id,
  version: app.version,
  hosts,
  timeZone: app.timeZone,
});
