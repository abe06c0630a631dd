// The pages on a link host for people and preview bots, with their texts and buttons.
import type { App } from '@landfall/contracts';
import type { StoreLink, StoreName } from '../targets.ts';
import { type Html, href, html } from './html.ts';
import { layOut, type PageContent, type RenderedPage } from './page-layout.ts';

/** The preview in a message or a feed. */
export type Social = { title: string; description: string | null; imageUrl: string | null; url: string };

/** Safari's banner at the top of the page. It opens the app with the argument, or its page in the App Store. */
export type Banner = { appId: string; argument: string };

/** The only field of the app that a page shows. */
type Named = Pick<App, 'name'>;

type Ways = { openUrl: string; stores: readonly StoreLink[]; webUrl: string | null };

export type Page =
  | ({ kind: 'choose'; app: Named; banner: Banner | null; social: Social } & Ways)
  | ({ kind: 'in-app'; app: Named; inApp: string | null; platform: 'ios' | 'android' } & Ways)
  | { kind: 'desktop'; app: Named; linkUrl: string; stores: readonly StoreLink[]; social: Social }
  | { kind: 'ask-touch'; app: Named; touchUrl: string; otherUrl: string }
  | ({ kind: 'preview'; app: Named; social: Social } & Ways)
  | { kind: 'gone'; app: Named }
  | { kind: 'unknown-link'; app: Named }
  | { kind: 'unknown-host' }
  | { kind: 'method-not-allowed' }
  | { kind: 'busy' };

/** The status of each page. 405 also needs `Allow`, 503 `Retry-After`. */
export const PAGE_STATUS = {
  choose: 200,
  'in-app': 200,
  desktop: 200,
  'ask-touch': 200,
  preview: 200,
  gone: 410,
  'unknown-link': 404,
  'unknown-host': 404,
  'method-not-allowed': 405,
  busy: 503,
} as const satisfies Record<Page['kind'], number>;

/**
 * Renders a page. `csp` is its Content-Security-Policy. It allows only the page's own style and script, by their
 * hashes.
 */
export function renderPage(page: Page): RenderedPage {
  return layOut(contentOf(page));
}

function contentOf(page: Page): PageContent {
  switch (page.kind) {
    case 'choose':
      return {
        title: `Open in ${page.app.name}`,
        head: html`${bannerOf(page.banner)}${socialTags(page.social, page.app.name)}`,
        appName: page.app.name,
        heading: `Open in ${page.app.name}`,
        body: [
          html`<p>This link leads to a place in the app.${page.stores.length === 0 ? null : ' If you do not have the app yet, get it first.'}</p>`,
          buttons(waysOf(page)),
        ],
      };
    case 'in-app':
      return {
        title: `Open in ${page.app.name}`,
        appName: page.app.name,
        heading: `Open in ${page.app.name}`,
        body: [
          html`<p>You are inside ${page.inApp ?? 'another app'}, where links do not open other apps by themselves.</p>`,
          buttons(waysOf(page)),
          html`<p class="note">If nothing opens, look for the menu or the share button of ${page.inApp ?? 'this app'} and choose <b>${page.platform === 'ios' ? 'Open in Safari' : 'Open in Chrome'}</b> or <b>Open in browser</b>.</p>`,
        ],
      };
    case 'desktop':
      return {
        title: `Open in ${page.app.name}`,
        head: socialTags(page.social, page.app.name),
        appName: page.app.name,
        heading: `This link opens in ${page.app.name}`,
        body: [
          html`<p>Open it on your phone or tablet:</p>
<p class="link" dir="ltr">${page.linkUrl}</p>`,
          buttons(page.stores.map(storeWay)),
        ],
      };
    case 'ask-touch':
      return {
        title: `Open in ${page.app.name}`,
        appName: page.app.name,
        heading: page.app.name,
        body: [
          html`<p>Where are you opening this link?</p>`,
          buttons([
            { id: 'touch', label: 'On an iPad', url: page.touchUrl },
            { id: 'other', label: 'On a computer', url: page.otherUrl },
          ]),
        ],
        asksForTouch: true,
      };
    case 'preview':
      return {
        title: page.social.title,
        head: socialTags(page.social, page.app.name),
        appName: page.app.name,
        heading: page.social.title,
        body: [
          page.social.description === null ? null : html`<p dir="auto">${page.social.description}</p>`,
          buttons(waysOf(page)),
        ],
      };
    case 'gone':
      return {
        title: 'This link has ended',
        appName: page.app.name,
        heading: 'This link has ended',
        body: [html`<p>It was made for a limited time, or its sender took it back. Ask them for a new one.</p>`],
      };
    case 'unknown-link':
      return {
        title: 'Link not found',
        appName: page.app.name,
        heading: 'There is no such link',
        body: [html`<p>A part of the address may be missing. Try the link again where you found it.</p>`],
      };
    case 'unknown-host':
      return {
        title: 'Not found',
        appName: null,
        heading: 'There is nothing here',
        body: [html`<p>No app has its links at this address.</p>`],
      };
    case 'method-not-allowed':
      return {
        title: 'Not possible',
        appName: null,
        heading: 'This is not possible here',
        body: [html`<p>A link can only be opened.</p>`],
      };
    case 'busy':
      return {
        title: 'One moment',
        appName: null,
        heading: 'One moment, please',
        body: [
          html`<p>We cannot look up this link right now. It is not lost: try again in a few seconds.</p>
<ul><li><a class="button" href="">Try again</a></li></ul>`,
        ],
      };
  }
}

type Way = { label: string; url: string; id?: 'touch' | 'other' };

function waysOf({ openUrl, stores, webUrl }: Ways): Way[] {
  return [
    { label: 'Open in the app', url: openUrl },
    ...(stores.length === 1 ? stores.map(({ url }) => ({ label: 'Get the app', url })) : stores.map(storeWay)),
    ...(webUrl === null ? [] : [{ label: 'Continue on the web', url: webUrl }]),
  ];
}

// Named by device and not by store, because an app may have its own page instead of the store's.
const DEVICES: Record<StoreName, string> = {
  apple: 'iPhone and iPad',
  play: 'Android',
  huawei: 'Huawei',
  amazon: 'Amazon Fire',
};

function storeWay({ store, url }: StoreLink): Way {
  return { label: `Get the app for ${DEVICES[store]}`, url };
}

function buttons(ways: readonly Way[]): Html | null {
  const items = ways.flatMap(({ label, url, id }) => {
    const safe = href(url);
    const named = id === undefined ? null : html` id="${id}"`;
    return safe === null ? [] : [html`<li><a class="button"${named} href="${safe}">${label}</a></li>`];
  });
  return items.length === 0 ? null : html`<ul>${items}</ul>`;
}

/** Commas separate the parts of the banner. */
function bannerOf(banner: Banner | null): Html | null {
  const argument = banner === null ? null : href(banner.argument)?.replaceAll(',', '%2C');
  if (banner === null || argument === undefined || argument === null) return null;
  return html`<meta name="apple-itunes-app" content="app-id=${banner.appId}, app-argument=${argument}">
`;
}

function socialTags({ title, description, imageUrl, url }: Social, appName: string): Html {
  const image = imageUrl === null ? null : href(imageUrl);
  const tag = (property: string, content: string | null) =>
    content === null
      ? null
      : html`<meta property="${property}" content="${content}">
`;
  return html`${
    description === null
      ? null
      : html`<meta name="description" content="${description}">
`
  }${tag('og:type', 'website')}${tag('og:site_name', appName)}${tag('og:title', title)}${tag('og:description', description)}${tag('og:url', url)}${tag('og:image', image)}<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">
`;
}
