// The exports that a program needs to run the gateway.

export { type Need, needsList } from './access/needs.ts';
export { GatewayConfig, gatewayConfig } from './config.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { gatewayMetricTable } from './gateway-metrics.ts';
export { sha256 } from './hashes.ts';
export { portTaken } from './http/sockets/http-server.ts';
export { openapi } from './openapi/openapi.ts';
export { routeGroups, routes } from './routes/index.ts';
export { isManage, type ManageRoute, type Route } from './routing/route.ts';
export { ScaledOutConfig } from './scaled-out-config.ts';
export { offerSetUp } from './set-up.ts';
export type { WebApp } from './web-app/web-app.ts';
