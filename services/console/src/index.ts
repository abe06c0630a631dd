// What a program needs to run the console, and its routes for documents and tests.

export { type Need, needsList } from './access/needs.ts';
export { type AppsOf, type AppsParts, appsOf } from './apps/apps-of.ts';
export {
  ConsoleConfig,
  ConsoleProcessConfig,
  consoleConfig,
  type InitOwner,
  InitOwnerConfig,
  initOwnerOf,
  type Rules,
  RulesConfig,
} from './config.ts';
export { createConsole } from './console.ts';
export { openapi } from './openapi/openapi.ts';
export { consoleMetricTable } from './parts.ts';
export { createPasswords, type Passwords } from './passwords/passwords.ts';
export { deleteExpired } from './retention.ts';
export { routeGroups, routes } from './routes/index.ts';
export { isManage, type ManageRoute } from './routing/route.ts';
export { consoleService } from './service.ts';
export { ensureFirstOwner } from './set-up/first-owner.ts';
export { offerSetUp } from './set-up/offer-set-up.ts';
export { storeOwnerToken } from './tokens/token-repository.ts';
export type { WebApp } from './web-app/serve-web-app.ts';
