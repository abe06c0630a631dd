// The data of a push for the app, the same for every provider. The public SDK opens the path and appends all metadata.
import { hash } from 'node:crypto';
import type { Platform, PushMessage } from '@landfall/contracts';

/** The parts of a push to one device that are written into the message. */
export interface Rendered {
  readonly notificationId: string;
  readonly token: string;
  readonly message: PushMessage;
  /** After this time the push need not be delivered. */
  readonly expiresAt: Date;
  readonly platform: Platform;
  /** The language of the device, BCP 47; null: unknown. */
  readonly language: string | null;
}

/**
 * Holds only strings, because FCM accepts nothing else. It is a type and not an interface, so that it is also a record.
 */
export type PushData = {
  readonly notificationId: string;
  /**
   * The path without query and fragment. The SDK appends "?" and the metadata. `/` when the message has no destination.
   */
  readonly destinationPath: string;
  /** The caller's metadata, and the query parameters of the destination, as JSON. */
  readonly metadata: string;
  /** The token of the device. The SDK returns it when the push is opened. */
  readonly deviceToken: string;
};

export const renderData = ({ notificationId, token, message }: Rendered): PushData => ({
  notificationId,
  ...destinationOf(message),
  deviceToken: token,
});

type Destination = Pick<PushData, 'destinationPath' | 'metadata'>;
/** Cache of destinations. The destination is the same for every device of a notification. */
const destinations = new WeakMap<PushMessage, Destination>();

function destinationOf(message: PushMessage): Destination {
  const known = destinations.get(message);
  if (known) return known;
  const path = message.destinationPath ?? '/';
  const metadata = [...queryOf(path), ...Object.entries(message.metadata)];
  const destination = {
    destinationPath: path.split(/[?#]/, 1)[0]!,
    // `fromEntries` makes an own key even of `__proto__`.
    metadata: JSON.stringify(Object.fromEntries(metadata)),
  };
  destinations.set(message, destination);
  return destination;
}

function queryOf(destination: string): [string, string][] {
  const [beforeFragment = ''] = destination.split('#', 1);
  const at = beforeFragment.indexOf('?');
  return at < 0 ? [] : [...new URLSearchParams(beforeFragment.slice(at + 1))];
}

/**
 * Returns the key by which one push replaces another. Of several pushes with one key, a device shows the last. Without
 * a collapse key, the key is the notification id. So a notification that is sent twice is shown once.
 */
export const replaces = ({ message, notificationId }: Rendered): string => message.collapseKey ?? notificationId;

/**
 * Returns the key for Apple, which takes it as a header. A header holds ASCII without blanks at its ends, and Node drops
 * the upper bits of other letters, so two keys would become one. Such a key is sent as its hash. So is a key that looks
 * like a hash.
 */
export function collapseIdOf(push: Rendered): string {
  const key = replaces(push);
  return HEADER_TEXT.test(key) && !key.startsWith(HASHED) ? key : `${HASHED}${hash('sha256', key, 'base64url')}`;
}

const HEADER_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;
const HASHED = 'sha256:';

/** Returns the expiry in seconds since 1970. Returns 0, which means "at once or never", when the expiry has passed. */
export const expiryOf = ({ expiresAt }: Rendered, now: Date): number =>
  expiresAt <= now ? 0 : Math.floor(expiresAt.getTime() / 1000);
