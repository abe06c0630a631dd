// The buttons of a page: ways into the app, to the stores and to the web. Each is a link, which works without scripts.
import type { Texts } from '../languages/texts.ts';
import type { StoreLink } from '../targets.ts';
import { type Html, href, html } from './html.ts';

/** `id`: the script of the touch check looks for it. */
export type Way = { label: string; url: string; id?: 'touch' | 'other' };

export type Ways = { openUrl: string; stores: readonly StoreLink[]; webUrl: string | null };

export function waysOf({ openUrl, stores, webUrl }: Ways, texts: Texts): Way[] {
  return [
    { label: texts.openApp, url: openUrl },
    ...(stores.length === 1 ? stores.map(({ url }) => ({ label: texts.getApp, url })) : storeWays(stores, texts)),
    ...(webUrl === null ? [] : [{ label: texts.continueOnWeb, url: webUrl }]),
  ];
}

export const storeWays = (stores: readonly StoreLink[], texts: Texts): Way[] =>
  stores.map(({ store, url }) => ({ label: texts.getAppFor[store], url }));

export function buttons(ways: readonly Way[]): Html | null {
  const items = ways.flatMap(({ label, url, id }) => {
    const safe = href(url);
    const named = id === undefined ? null : html` id="${id}"`;
    return safe === null ? [] : [html`<li><a class="button"${named} href="${safe}">${label}</a></li>`];
  });
  return items.length === 0 ? null : html`<ul>${items}</ul>`;
}
