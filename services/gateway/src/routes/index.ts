// Lists the routes for apps and backends. The most frequent come first.
import { named } from '@landfall/http';
import type { SdkRoute } from '../routing/route.ts';
import { proveAddress } from './address.ts';
import { createBulk, createSdk } from './create-links.ts';
import { checkDevice } from './device-check.ts';
import { getBySlug } from './get-by-slug.ts';
import { installHeartbeat } from './install-heartbeat.ts';
import { pushOpened, pushRegister, pushUnregister } from './push.ts';
import { restore } from './restore.ts';
import { store } from './store.ts';

/** The routes, as the OpenAPI document groups and names them. */
export const sdkRouteGroups = {
  links: named({ createLink: createSdk, createLinks: createBulk, getLinkBySlug: getBySlug }),
  deferred: named({
    recordHeartbeat: installHeartbeat,
    restoreLinks: restore,
    storePendingLink: store,
    proveAddress,
    checkDevice,
  }),
  push: named({ registerDevice: pushRegister, recordOpen: pushOpened, unregisterDevice: pushUnregister }),
} satisfies Record<string, readonly SdkRoute[]>;

export const sdkRoutes: readonly SdkRoute[] = Object.values(sdkRouteGroups).flat();
