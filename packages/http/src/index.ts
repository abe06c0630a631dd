// What the gateway and the console share: a route as a value, errors, limits, headers, addresses, and the server.

export { isPublic, readAddress } from './addresses/address.ts';
export { type ClientAddress, clientAddress, type Peer } from './addresses/client-address.ts';
export { type Trusts, trustedPeers } from './addresses/forwarded-for.ts';
export { createHosts, type Hosts } from './addresses/hosts.ts';
export { type ErrorCode, errorTable } from './answers/error-table.ts';
export {
  ApiError,
  busy,
  type Detail,
  errorBody,
  invalid,
  methodNotAllowed,
  parsed,
  rateLimited,
  toApiError,
} from './answers/errors.ts';
export { askIfMatch, etag, ifMatch, ifMatchHeader } from './answers/etags.ts';
export {
  download,
  framedPage,
  Reply,
  type Right,
  redirect,
  sendReply,
  sendSuccess,
  unchanging,
} from './answers/replies.ts';
export {
  cspHash,
  ownUrl,
  plainPage,
  send,
  sendJson,
  sendPage,
  sendText,
} from './answers/respond.ts';
export { gathered, responseHeaders, writeGathered } from './answers/response-headers.ts';
export { isFromThisMachine, serveGet, setRoute } from './app.ts';
export { createCache, forgetAt } from './caches/cache.ts';
export { onceFor } from './caches/once-for.ts';
export { createWatchers } from './caches/watchers.ts';
export { assertSecretsGiven, completed, HttpConfig, isGuessable } from './config.ts';
export { type Hashes, hashes, sha256, type Tap } from './hashes.ts';
export { type LimitCounter, type LimitName, specLimits, type Used } from './limits/limits.ts';
export { memoryCounter } from './limits/memory-counter.ts';
export type { WorkGate } from './limits/work-gate.ts';
export { connectRedis, inTime } from './redis/redis.ts';
export { bearer, pairsOf, readCookie, shareGiven } from './requests/credentials.ts';
export type { Gathered, HttpHandler, HttpRequest, HttpResponse, Next } from './requests/http-messages.ts';
export { findFault } from './requests/read-body.ts';
export { hostOf } from './requests/request-host.ts';
export { strict, unknownField } from './requests/strict.ts';
export {
  type AnyCall,
  type AnyRoute,
  isManagedPath,
  type ManagedPath,
  type Named,
  named,
  type Out,
  orRefuse,
  type Zod,
} from './routes/route.ts';
export {
  aboutCall,
  handlersOf,
  type Kind,
  readRequest,
  type Serving,
  serveRoute,
  serveRoutes,
  useOfAddress,
} from './routes/serve-routes.ts';
export { createServer, type HttpParts, httpMetricTable, type InRedis, type Part } from './server.ts';
export { portTaken } from './sockets/http-server.ts';
