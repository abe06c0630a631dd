// Landfall for servers.
export type { CreatedLink, NewLink } from './api-types.ts';
export type { LinkRow, Outcome } from './create-many.ts';
export type { components, paths } from './generated/schema.ts';
export { identityToken } from './identity-token.ts';
export { Landfall, type LandfallOptions } from './landfall.ts';
export { type Fault, LandfallError } from './landfall-error.ts';
export type { CreateOptions, Links, ResolvedLink } from './links.ts';
export { Management, type ManagementOptions, type Push, type PushOptions, type PushSent } from './management.ts';
export type { CallOptions, ConnectionOptions } from './send.ts';
