// The interface of a client for apps.
import type { Fields, Link, LinkData } from './link.ts';

/** Options of every platform. */
export interface Options {
  /** The origin of the API: `https://api.example.com`. */
  readonly url: string;
  /** The mobile key of the app: `ol_` and 32 hexadecimal digits. */
  readonly key: string;
  /** The hosts of the app's links: `['shop.links.example', 'open-shop.links.example']`. */
  readonly hosts: readonly string[];
  /** `required`: nothing is sent before `consent(true)`. */
  readonly consent?: 'required';
  /** A host that has an IPv6 address only, with its scheme. See the guide on IPv6. */
  readonly ipv6Url?: string;
  /** Gets a sentence for the developer. By default it is written to the log. */
  readonly onProblem?: (sentence: string) => void;
}

/** Options of the core. */
export interface CoreOptions extends Options {
  /** Read the clipboard at the first start. Only a text that is a link of `hosts` is sent. */
  readonly clipboard?: boolean;
}

/** The user who is signed in. */
export interface User {
  /** The email, or another id of the user. */
  readonly email: string;
  /** The identity token of the app's backend. */
  readonly token?: string;
}

/** Options of a registration for pushes. */
export interface PushOptions {
  /** The language of the app, BCP 47. */
  readonly language?: string;
  /** For an APNs token: the host of Apple that knows it. */
  readonly environment?: 'production' | 'sandbox';
}

/** Pushes. */
export interface Push {
  /** Registers the device. Sends if something changed, and after seven days. Sends again at the next start after a failure. */
  register(token: string, options?: PushOptions): Promise<void>;
  /** Unregisters the device. */
  unregister(): Promise<void>;
  /** Reports a push that a person opened. Returns its link, or null. `data` is the data of the push. */
  opened(data: Fields): Link | null;
}

/** A link to be made. */
export interface NewLink {
  /** A path with its query: `/invite?code=7`. */
  readonly destination: string;
  readonly metadata?: Fields;
}

/** A link that was made. */
export interface CreatedLink {
  readonly id: string;
  readonly slug: string;
  /** The URL that people share. */
  readonly url: string;
  readonly destination: string;
  readonly metadata: Fields;
}

/** One check of `diagnose()`. */
export interface Finding {
  readonly check: string;
  /** Null if it could not be tried. */
  readonly passed: boolean | null;
  /** The result of the check in a sentence. */
  readonly detail: string;
  /** The one thing to do. Null if it passed. */
  readonly fix: string | null;
}

/** A client. */
export interface Landfall {
  /**
   * Sends a heartbeat and a restore. Call it first, once. Returns the first link of this start, or null. Takes at most
   * 3 s, and never rejects. A later link reaches `onLink`.
   */
  start(): Promise<Link | null>;
  /** Calls the listener with every link, once. Links wait for the first listener. Returns a function that ends it. */
  onLink(listener: (link: Link) => void): () => void;
  /** The last link that was delivered in this run. */
  readonly lastLink: Link | null;
  /** Takes a URL that reached the app. Returns whether it is ours: its link then reaches `onLink`. */
  open(url: string): boolean;
  /** Says whether a URL is a link of the app. */
  isOurs(url: string): boolean;
  /**
   * Asks what a link says, and delivers nothing. Null if there is no such link.
   * @throws {LandfallError} `NO_ANSWER`, `NO_CONSENT`, or the code of the refusal
   */
  resolve(url: string): Promise<LinkData | null>;
  /**
   * Makes a link.
   * @throws {LandfallError} `NO_ANSWER`, `NO_CONSENT`, or the code of the refusal, for example `RATE_LIMITED`
   */
  create(link: NewLink): Promise<CreatedLink>;
  /** Names the user who is signed in, or nobody. Call it at every start, before or after `start()`. */
  identify(user: User | null): void;
  readonly push: Push;
  /** Allows or forbids to send. It is remembered. */
  consent(on: boolean): Promise<void>;
  /** Checks the set-up. Never rejects. For developers: do not call it at every start. */
  diagnose(): Promise<Finding[]>;
  /** Deletes everything that the client stored, and unregisters the device. */
  forget(): Promise<void>;
}
