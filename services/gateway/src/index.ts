// What a program needs to run the gateway, and what the console shows of it: links, and what a tap does.

export { userEmail } from './access/identity.ts';
export { appleAppSiteAssociation, assetLinks } from './association/association-files.ts';
export { GatewayConfig, gatewayConfig, ScaledOutConfig } from './config.ts';
export { createGateway } from './gateway.ts';
export { gatewayMetricTable } from './gateway-metrics.ts';
export { LANGUAGES, type Language } from './link-host/languages/languages.ts';
export type { Page } from './link-host/pages/page.ts';
export { renderPage } from './link-host/pages/page-contents.ts';
export { isSimulated, NOT_IN_STORE, storesWithout } from './link-host/stands-in.ts';
export { appOfHost, askedUrls } from './link-host/tap-request.ts';
export { asTapped } from './link-host/tapped-query.ts';
export { DEVICE_GROUPS, deviceIds, devices } from './link-host/try/devices.ts';
export { type Explanation, explain, TRY_STEPS, tryRuleNames } from './link-host/try/explain.ts';
export { languageTag } from './links/language.ts';
export { splitDestination } from './links/link.ts';
export { linkHost, linkUrl, openHost, ownHosts, subdomainHost } from './links/link-view.ts';
export { isReservedSegment } from './links/reserved-paths.ts';
export { importedSlug, ownSlug, short } from './links/slugs.ts';
export { MAX_HOST } from './lookups/lookups.ts';
export { slugsToFind } from './lookups/plain-slug.ts';
export { deviceToken, hashOfToken } from './phone/device-token.ts';
export { LARGE_BODY_BYTES } from './routes/fields.ts';
export { sdkRouteGroups } from './routes/index.ts';
export {
  givenKey,
  idempotencyHeader,
  idempotencyKey,
  limitReached,
  linkId,
  makeLink,
  orLimit,
  orTaken,
} from './routes/make-link.ts';
export { failedRow, MAX_LINKS, makeRows, rowsOf } from './routes/make-rows.ts';
export type { Auth, SdkRoute } from './routing/route.ts';
