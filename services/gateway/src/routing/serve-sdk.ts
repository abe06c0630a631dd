// Serves the routes for apps and backends: the SDK key says who calls.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  aboutCall,
  type ClientAddress,
  type HttpRequest,
  isManagedPath,
  type Kind,
  type LimitCounter,
  readRequest,
  type Serving,
  sendSuccess,
  type Used,
  useOfAddress,
} from '@landfall/http';
import type { Authenticator } from './authenticate.ts';
import type { GatewayParts, SdkRoute } from './route.ts';

export interface SdkServing {
  parts: GatewayParts;
  serving: Serving;
  /** The counts of this gateway alone, for refused calls with unknown keys. They limit its key look-ups. */
  unmet: LimitCounter;
  keys: Authenticator;
  countryOf(req: HttpRequest, address: ClientAddress): string | null;
}

export function sdkKind({ parts, serving, unmet, keys, countryOf }: SdkServing): Kind<SdkRoute> {
  /**
   * Counts a call before any look-up. An unknown key, whatever its format, counts for the address. Calls that arrive
   * during a look-up wait for its result and start no other. So a backend that begins with many calls is not refused,
   * even when its admitted calls went to other gateways.
   */
  async function use(route: SdkRoute, { headers }: HttpRequest, address: ClientAddress): Promise<Used> {
    const { limits } = serving;
    const { serverLimit: name } = route;
    const byAddress = (counter: LimitCounter) => useOfAddress(counter, route.limit, address);
    if (!name) return byAddress(limits);
    const met = async () => keys.serverKeyId(headers) ?? (await keys.serverKeyIdSoon(headers));
    const keyId = await met();
    if (keyId) return limits.use(name, keyId);
    const used = await byAddress(limits);
    if (used.allowed) return used;
    const here = await byAddress(unmet);
    // The calls that were counted together with this one begin their look-up in this turn, if they begin one.
    const soon = here.allowed ? await keys.meetServerKey(headers) : await nextTurn().then(met);
    return soon ? limits.use(name, soon) : used;
  }

  return {
    assertStated({ path, method, auth }) {
      if (auth === undefined || isManagedPath(path))
        throw new Error(`${method} ${path} does not state its key: give it \`auth\`.`);
    },
    use,
    async answer(route, req, res, address) {
      const key = await keys.authenticate(route.auth, req.headers);
      const call = {
        ...(await readRequest(route, req, res)),
        ...aboutCall(req, res, address, serving),
        country: () => countryOf(req, address),
        key,
      };
      sendSuccess(res, await route.handle(call, parts));
    },
  };
}
