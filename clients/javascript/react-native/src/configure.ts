// The client for React Native: the core, with the modules that the app passes in.
import {
  type Options as CommonOptions,
  createClient,
  type Fetch,
  hostOf,
  type Landfall,
  type Storage,
} from '@landfall/client';
import { factsOf, type Modules } from './facts.ts';
import { type LinkingOptions, linkingOf, type NavigationLinking } from './linking.ts';
import type { AsyncStorageShape, LinkingShape, MmkvShape, PlatformShape } from './shapes.ts';

/** As in package.json. */
export const VERSION = '0.1.0';

/** Options of `configure`. Without a module, what it tells is left out, and fewer links are found. */
export interface Options extends CommonOptions, Modules {
  /** Keeps one value, `landfall`: AsyncStorage, or an instance of MMKV. */
  readonly storage: AsyncStorageShape | MmkvShape;
}

/** A client for React Native. */
export interface ReactNativeLandfall extends Landfall {
  /**
   * Makes the `linking` of React Navigation. Links of Landfall then navigate by the app's `config`, direct ones and
   * deferred ones. It calls `start()`, and ends each link that it has passed on.
   */
  linking<Config>(options?: LinkingOptions<Config>): NavigationLinking<Config>;
}

/** What `react-native` gives. */
export interface Native {
  readonly Linking: LinkingShape;
  readonly Platform: PlatformShape;
}

/** @throws {TypeError} if an option is missing or wrong */
export function configureWith(native: Native, options: Options): ReactNativeLandfall {
  if (!options.storage) throw new TypeError('configure() needs `storage`.');
  const { Linking, Platform } = native;
  const client = createClient(
    { ...options, clipboard: options.clipboard !== undefined },
    {
      client: `react-native/${VERSION}`,
      storage: storageOf(options.storage),
      fetch: (url, init) => (fetch as Fetch)(url, init),
      facts: factsOf(Platform, options),
      now: () => Date.now(),
      timer(ms, done) {
        const timer = setTimeout(done, ms);
        return () => clearTimeout(timer);
      },
      uuid,
      initialLink: () => Linking.getInitialURL(),
      links: (listener) => Linking.addEventListener('url', ({ url }) => listener(url)),
      log: (sentence) => console.warn(`Landfall: ${sentence}`),
    },
  );
  const hosts = options.hosts.map(hostOf);
  // Not a copy: `lastLink` is read at each call.
  return Object.assign(client, {
    linking: <Config>(given: LinkingOptions<Config> = {}) => linkingOf(client, Linking, hosts, given),
  });
}

/** MMKV answers at once, and has other names. */
export function storageOf(storage: AsyncStorageShape | MmkvShape): Storage {
  if (!('getString' in storage)) return storage;
  return {
    getItem: (key) => storage.getString(key),
    setItem: (key, value) => storage.set(key, value),
    removeItem: (key) => (storage.remove ? storage.remove(key) : storage.delete?.(key)),
  };
}

/** The id of a device is no secret, and not every engine has `crypto`. */
function uuid(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (digit) => {
    const random = Math.floor(Math.random() * 16);
    return (digit === 'x' ? random : (random % 4) + 8).toString(16);
  });
}
