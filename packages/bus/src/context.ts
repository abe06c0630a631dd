// The context of a message, and ids that follow from other ids (RFC 9562, version 5): the same on every delivery.
import { hash } from 'node:crypto';
import type { Context } from './port.ts';

/** `now` in milliseconds since 1970. */
export const contextOf = (id: string, now: number, expired: () => boolean): Context => ({
  id,
  now: new Date(now),
  idFor: (name) => uuid5(id, name),
  expired,
});

/** An event has no caller, so its deadline never passes. */
export const neverExpired = () => false;

export function uuid5(namespace: string, name: string): string {
  const space = namespace.replaceAll('-', '');
  if (space.length !== 32) throw new TypeError('the namespace must be a UUID');
  const bytes = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  if (bytes.write(space, 0, 'hex') !== 16) throw new TypeError('the namespace must be a UUID');
  bytes.write(name, 16);
  const hex = hash('sha1', bytes, 'hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** `index`: the place of the event in the list of a handler's outcome. */
export const eventId = (messageId: string, event: string, index: number): string =>
  uuid5(messageId, `event:${event}:${index}`);
