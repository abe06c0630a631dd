// The context of one message.
import type { Context } from './port.ts';
import { uuid5 } from './uuid5.ts';

/** `now` in milliseconds since 1970. */
export const contextOf = (id: string, now: number, expired: () => boolean): Context => ({
  id,
  now: new Date(now),
  idFor: (name) => uuid5(id, name),
  expired,
});

/** An event has no caller, so its deadline never passes. */
export const neverExpired = () => false;
