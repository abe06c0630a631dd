import { Links } from './links.ts';
import { type ConnectionOptions, sender } from './send.ts';

export interface LandfallOptions extends ConnectionOptions {
  /**
   * A server key of the app: `ol_` and 32 hexadecimal digits. Keep it on the server. It may be a variable of the
   * environment as it is: if it is undefined, the constructor throws.
   */
  key: string | undefined;
}

/**
 * Landfall for the backend of an app.
 * @example
 * const landfall = new Landfall({ url: 'https://api.example.com', key: 'ol_…' });
 * const link = await landfall.links.create({ destination: '/invite?code=42' });
 */
export class Landfall {
  /** Makes links, and looks them up. */
  readonly links: Links;

  /** Sends nothing. Throws a TypeError if the address or the key is missing. */
  constructor({ key, ...connection }: LandfallOptions) {
    this.links = new Links(sender(connection, key, 'key'), connection);
  }
}
