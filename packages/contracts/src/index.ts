// The messages between services. This package imports only zod.
import * as account from './account/index.ts';
import * as analytics from './analytics/index.ts';
import * as attribution from './attribution.ts';
import * as decisions from './attribution-decisions.ts';
import * as pending from './attribution-pending.ts';
import type { EventDef, RequestDef } from './define.ts';
import * as gateway from './gateway.ts';
import * as link from './link/index.ts';
import * as push from './push/index.ts';

export * from './account/index.ts';
export * from './analytics/index.ts';
export * from './attribution.ts';
export * from './attribution-decisions.ts';
export * from './attribution-pending.ts';
export * from './client.ts';
export { cutText } from './cut-text.ts';
export type { DeadLetter } from './dead-letter.ts';
export * from './define.ts';
export * from './fields.ts';
export * from './gateway.ts';
export * from './link/index.ts';
export * from './matching.ts';
export { newId } from './new-id.ts';
export * from './push/index.ts';

const definitions: unknown[] = [account, gateway, link, attribution, decisions, pending, push, analytics].flatMap(
  (module) => Object.values(module),
);
const has = (d: unknown, field: string): boolean => typeof d === 'object' && d !== null && field in d && 'topic' in d;

export const requests = definitions.filter((d): d is RequestDef => has(d, 'refusals'));
export const events = definitions.filter((d): d is EventDef => has(d, 'data'));
