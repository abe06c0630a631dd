// The buttons of a page: ways into the app, to the stores and to the web. Each is a link, which works without scripts.
import type { Texts } from '../languages/texts.ts';
import type { StoreLink } from '../targets.ts';
import { exitHref, type Html, href, html } from './html.ts';

/** `id`: the script of the touch check looks for it. `copied`: the link that a tap on the button copies. */
export type Way = { label: string; url: string; id?: 'touch' | 'other'; copied?: string | null };

export type Ways = {
  openUrl: string;
  stores: readonly StoreLink[];
  webUrl: string | null;
  /** The link that the button to the only store copies. */
  copied?: string | null;
};

/** The button out of another app. The browser reports its use to `reportPath`. */
export type ExitButton = { url: string; mayFail: boolean; reportPath: string };

export function waysOf({ openUrl, stores, webUrl, copied = null }: Ways, texts: Texts): Way[] {
  return [
    { label: texts.openApp, url: openUrl },
    ...(stores.length === 1
      ? stores.map(({ url }) => ({ label: texts.getApp, url, copied }))
      : storeWays(stores, texts)),
    ...(webUrl === null ? [] : [{ label: texts.continueOnWeb, url: webUrl }]),
  ];
}

export const storeWays = (stores: readonly StoreLink[], texts: Texts): Way[] =>
  stores.map(({ store, url }) => ({ label: texts.getAppFor[store], url }));

/** @param exit the button out of another app, with its label. It is the last one, next to the way by hand. */
export function buttons(ways: readonly Way[], exit: Html | null = null): Html | null {
  const items = ways.flatMap(({ label, url, id, copied = null }) => {
    const safe = href(url);
    const named = id === undefined ? null : html` id="${id}"`;
    const copies = copied === null ? null : html` id="copy" data-copied="${copied}"`;
    return safe === null ? [] : [html`<li><a class="button"${named}${copies} href="${safe}">${label}</a></li>`];
  });
  if (exit !== null) items.push(exit);
  return items.length === 0 ? null : html`<ul>${items}</ul>`;
}

/**
 * Returns the button out of another app. The browser itself reports the tap (`ping`), so that the link needs no script
 * and no detour: apps look at the link that is tapped, and may ignore a redirect.
 */
export function exitButton(exit: ExitButton | null, { openInBrowser }: Texts): Html | null {
  const to = exit && exitHref(exit.url);
  if (exit === null || to === null) return null;
  return html`<li><a class="button" id="exit" href="${to}" ping="${exit.reportPath}">${openInBrowser}</a></li>`;
}
