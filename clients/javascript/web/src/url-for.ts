import { type Browser, platformOf } from './device.ts';

export interface LinkOptions {
  /** A link of your app: `https://shop.links.example/1763737445000-abcdefghijkl`. */
  link: string;
  /**
   * The open host of the app, without https://: `open-shop.links.example`. The settings of the app show it. Give it if the page may be on
   * the host of the link: iOS opens no app for a link to the host that the person is on.
   */
  openHost?: string;
  /** True: the `utm_` fields of the page's address go along. Those of the link stay. */
  utm?: boolean;
}

/**
 * Returns the address for a button: the link on the open host on a phone, and the link itself on a computer. It opens the
 * app if it is installed, and leads to the store if not. Best is a real `<a href>`, which people can also copy.
 * @throws TypeError if `link` is no web address, or `openHost` no host
 */
export function urlFor(
  { link, openHost, utm }: LinkOptions,
  browser: Browser = navigator,
  search: string = location.search,
): string {
  if (!/^https?:/i.test(link)) throw new TypeError('`link` must begin with https://');
  const url = new URL(link);
  // On a computer, too: there the page is written.
  if (openHost && /[^\w.:-]/.test(openHost)) throw new TypeError('`openHost` must be a host: open-shop.links.example');
  if (openHost && platformOf(browser) !== 'desktop') url.host = openHost;
  if (utm) {
    const own = url.searchParams;
    const more = search
      .slice(1)
      .split('&')
      .filter((part) => /^utm_\w+=/.test(part) && !own.has(part.slice(0, part.indexOf('='))));
    return withQuery(url, more).href;
  }
  return url.href;
}

/** Adds parts to a query, and leaves the others as they are written. */
export function withQuery(url: URL, parts: readonly string[]): URL {
  const all = [url.search.slice(1), ...parts].filter((part) => part !== '');
  url.search = all.join('&');
  return url;
}

/**
 * Goes to the app, or to its store. Call it while a click is handled: iOS opens an app only for a person.
 * @throws TypeError if `link` is no web address, or `openHost` no host
 */
export function openIn(options: LinkOptions): void {
  location.assign(urlFor(options));
}
