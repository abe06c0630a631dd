// Serves the simulated app: a page that plays an app on a phone, and the two calls of an SDK for it. They are the
// routes of SDKs, so the page gets what an app gets. They need no key, because the host says which app they are for.

import { type App, ListRestores, RestoreLinks } from '@landfall/contracts';
import { ApiError, gathered, methodNotAllowed, sendPage, serveRoute, setRoute } from '@landfall/http';
import { type ServeSimulatedApp, SIMULATED_APP_SEGMENT } from '../link-host/stands-in.ts';
import { TAP_HEADERS } from '../link-host/tap-request.ts';
import type { CallingKey } from '../lookups/lookups.ts';
import { installHeartbeat } from '../routes/install-heartbeat.ts';
import { restore } from '../routes/restore.ts';
import type { GatewayParts, SdkRoute } from '../routing/route.ts';
import { type SdkServing, sdkKind } from '../routing/serve-sdk.ts';
import { simulatedAppPage } from './simulated-app-page.ts';

const PAGE = `/${SIMULATED_APP_SEGMENT}`;

const withReason: SdkRoute = {
  ...restore,
  async handle(call, parts) {
    let restoreId: string | undefined;
    const ask: GatewayParts['bus']['ask'] = (to, input, options) => {
      if (to.name === RestoreLinks.name) restoreId = options?.id;
      return parts.bus.ask(to, input, options);
    };
    const reply = await restore.handle(call, { ...parts, bus: { ...parts.bus, ask } });
    return { ...reply, decision: await decisionOf(restoreId, call.key!.app, parts) };
  },
};

const calls: Readonly<Record<string, SdkRoute>> = {
  [`${PAGE}/heartbeat`]: installHeartbeat,
  [`${PAGE}/restore`]: withReason,
};

/** The page asks right after its restore, so its decision is among the latest. */
const LATEST = 50;

/** Returns a decision in words, without ids. Null when it is not there any more. */
async function decisionOf(restoreId: string | undefined, app: App, { bus }: Pick<GatewayParts, 'bus'>) {
  const listed = await bus.ask(ListRestores, { appId: app.id, limit: LATEST, cursor: null });
  const decision = listed.ok ? listed.reply.restores.find(({ id }) => id === restoreId) : undefined;
  if (!decision) return null;
  const considered = decision.considered.map(({ tappedAt, matchType, taken, reason }) => ({
    tappedAt,
    matchType,
    taken,
    reason,
  }));
  return { summary: decision.summary, considered };
}

/** Rejects with 404 for another path below the page, and with 405 for another method. */
export function serveSimulatedApp(sdk: SdkServing): ServeSimulatedApp {
  return async (app, req, res) => {
    setRoute(res, SIMULATED_APP_SEGMENT);
    Object.assign(gathered(res), TAP_HEADERS);
    const path = req.path.replace(/\/$/, '');
    const call = calls[path];
    if (call !== undefined) {
      if (req.method !== 'POST') throw methodNotAllowed(['POST']);
      const keys = { ...sdk.keys, authenticate: async () => keyOf(app) };
      return serveRoute(call, req, res, sdkKind({ ...sdk, keys }), sdk.serving);
    }
    if (path !== PAGE) throw new ApiError('NOT_FOUND');
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
    sendPage(res, 200, simulatedAppPage(app));
  };
}

const keyOf = (app: App): CallingKey => ({ keyId: null, kind: 'mobile', expiresAt: null, app, identitySecrets: [] });
