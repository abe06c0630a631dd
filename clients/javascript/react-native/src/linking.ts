// The `linking` of React Navigation, made of our links: it wants URLs, and our links say the path.
import type { Landfall, Link } from '@landfall/client';
import type { LinkingShape } from './shapes.ts';

/** Further options of React Navigation. */
export interface LinkingOptions<Config> {
  /** The screens of the app by path, as in the documentation of React Navigation. */
  readonly config?: Config;
  /** More prefixes, for example `shop://`. */
  readonly prefixes?: readonly string[];
  /**
   * Milliseconds for which the first screen may wait for a link, 500 by default. A link that comes later navigates from
   * the first screen.
   */
  readonly waitMs?: number;
}

/** For `<NavigationContainer linking={…}>`. */
export interface NavigationLinking<Config> {
  prefixes: string[];
  config: Config | undefined;
  getInitialURL(): Promise<string | null>;
  subscribe(listener: (url: string) => void): () => void;
}

/** URLs that are not ours are passed on as they are. */
export function linkingOf<Config>(
  client: Landfall,
  linking: LinkingShape,
  hosts: readonly string[],
  { config, prefixes = [], waitMs = 500 }: LinkingOptions<Config>,
): NavigationLinking<Config> {
  const ownPrefixes = hosts.map((host) => `https://${host}`);
  const handOver = (link: Link) => {
    link.handled();
    return `${ownPrefixes[0]}${link.destination}`;
  };
  let initial: Promise<Link | null> | undefined;
  const initialLink = () => {
    initial ??= new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), waitMs);
      client.start().then((link) => {
        clearTimeout(timer);
        resolve(link);
      });
    });
    return initial;
  };
  return {
    prefixes: [...ownPrefixes, ...prefixes],
    config,
    async getInitialURL() {
      const link = await initialLink();
      if (link) return handOver(link);
      const url = await linking.getInitialURL();
      return url !== null && client.isOurs(url) ? null : url;
    },
    subscribe(listener) {
      const others = linking.addEventListener('url', ({ url }) => {
        if (!client.isOurs(url)) listener(url);
      });
      const leave = client.onLink(async (link) => {
        // The one of the initial URL comes to listeners as well.
        if ((await initialLink()) !== link) listener(handOver(link));
      });
      return () => {
        others.remove();
        leave();
      };
    },
  };
}
