// The platform, as the core needs it. Everything native is injected, so that the core has no dependency.

/** A value, or a promise of it. Null and undefined say that the system does not tell it. */
export type Told<T> = T | null | undefined | Promise<T | null | undefined>;

/** Keeps text by key, like AsyncStorage and `localStorage`. */
export interface Storage {
  getItem(key: string): Told<string>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** The part of `fetch` that the core uses. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: unknown },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** Facts of the device and of the app. */
export interface Facts {
  /** An id of this device that the system keeps. Not of its model. */
  id: string;
  /** `ios` or `android`. */
  platform: string;
  osVersion: string;
  /** `Pixel 8`, `iPhone15,3`. */
  model: string;
  /** BCP 47: `de-AT`. */
  language: string;
  appVersion: string;
  /** When the app was installed, in milliseconds. */
  installedAt: number;
  /** The install referrer of Google Play, whole. */
  installReferrer: string;
  /** The text of the clipboard. It is asked for with the option `clipboard` alone. */
  clipboard: string;
  /** For `diagnose`: the bundle id without the team, or the package. */
  appId: string;
  /** For `diagnose`: SHA-256 of the app's certificates, in hexadecimal. */
  certificates: readonly string[];
  /** For `diagnose`: the hosts whose links open the app. */
  opens: readonly string[];
}

/** A platform. Functions that it lacks are left out. */
export interface System {
  /** Name and version of the client: `react-native/0.1.0`. */
  readonly client: string;
  readonly storage: Storage;
  readonly fetch: Fetch;
  /** Each fact is asked for when it is needed, once in a run. It may reject. */
  readonly facts: { readonly [Name in keyof Facts]?: () => Told<Facts[Name]> };
  /** The time in milliseconds. */
  now(): number;
  /** Calls the function after so many milliseconds. Returns a function that ends that. */
  timer(ms: number, done: () => void): () => void;
  uuid(): string;
  /** The URL that opened the app. */
  initialLink?(): Told<string>;
  /** Calls the listener with each URL that reaches the running app. */
  links?(listener: (url: string) => void): unknown;
  /** Writes a sentence for the developer to the log. */
  log(sentence: string): void;
}

/** Waits for a promise, and no longer than so many milliseconds. Never rejects. */
export const bounded = (system: System, ms: number, promise: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const end = system.timer(ms, () => resolve());
    const done = () => {
      end();
      resolve();
    };
    promise.then(done, done);
  });
