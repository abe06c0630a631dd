// Says which requests a proxy sends to the console. The proxies of docker-compose.yml and of the chart have the same rule.
import { createHosts, HttpConfig } from '@landfall/http';

/** Paths of the API's own host that gateways serve. `//api/…` counts as `/api/…`, as it does there. */
const OF_GATEWAYS =
  /^\/+(?:api(?!\/+(?:manage|push\/+send)(?:\/|$))|logos|\.well-known|robots\.txt|livez|readyz|metrics)(?:\/|$)/i;

/** Returns true when the console answers a request. All others are for the gateways. */
export type IsForConsole = (path: string, host: string | undefined) => boolean;

/** @param env the variables of the services */
export function isForConsole(env: NodeJS.ProcessEnv): IsForConsole {
  const { PUBLIC_URL = '', LINK_DOMAIN = '', IPV6_HOST } = env;
  const API_HOSTS = HttpConfig.shape.API_HOSTS.parse(env.API_HOSTS);
  const hosts = createHosts({ PUBLIC_URL, LINK_DOMAIN, API_HOSTS, IPV6_HOST });
  return (path, host) => (!host || hosts.isApi(host)) && !OF_GATEWAYS.test(pathOf(path));
}

/** Returns the path of a request without its query, also when the request names a whole URL. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');
