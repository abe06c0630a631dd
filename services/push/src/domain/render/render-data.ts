// The data of a push for the app, with every provider. The public SDK opens the path with all metadata appended.
import type { Platform, PushMessage } from '@landfall/contracts';

/** A push to one device, as far as it is written into the message. */
export interface Rendered {
  readonly notificationId: string;
  readonly token: string;
  readonly message: PushMessage;
  readonly expiresAt: Date;
  readonly platform: Platform;
  /** Of the device, BCP 47; null: unknown. */
  readonly language: string | null;
}

/** Strings only: FCM takes nothing else. A type and no interface, so that it is a record, too. */
export type PushData = {
  readonly notificationId: string;
  /** Without query and fragment: the SDK puts "?" and the metadata behind it. `/` when the message leads nowhere. */
  readonly destinationPath: string;
  /** The caller's, and what was in the destination's query besides, as JSON. */
  readonly metadata: string;
  /** The SDK gives it back when the push is opened. */
  readonly deviceToken: string;
};

export const renderData = ({ notificationId, token, message }: Rendered): PushData => ({
  notificationId,
  ...destinationOf(message),
  deviceToken: token,
});

type Destination = Pick<PushData, 'destinationPath' | 'metadata'>;
/** The same for every device of a notification. */
const destinations = new WeakMap<PushMessage, Destination>();

function destinationOf(message: PushMessage): Destination {
  const known = destinations.get(message);
  if (known) return known;
  const path = message.destinationPath ?? '/';
  const metadata = [...queryOf(path), ...Object.entries(message.metadata)];
  const destination = {
    destinationPath: path.split(/[?#]/, 1)[0]!,
    // `fromEntries` makes a key of its own also of `__proto__`.
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
 * Of several with one key a device shows the last. Without one of its own a notification is its own: sent once more, it
 * is shown once.
 */
export const replaces = ({ message, notificationId }: Rendered): string => message.collapseKey ?? notificationId;

/** Seconds since 1970; 0, which is "at once or never", when it has passed. */
export const expiryOf = ({ expiresAt }: Rendered, now: Date): number =>
  expiresAt <= now ? 0 : Math.floor(expiresAt.getTime() / 1000);
