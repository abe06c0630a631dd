// The pages on a link host for people and preview bots: the words and buttons of each.
import { LRUCache } from 'lru-cache';
import type { Exit } from '../exits/exits.ts';
import { ENGLISH, type Language } from '../languages/languages.ts';
import type { Texts } from '../languages/texts.ts';
import { layoutOf, qrSvg } from '../qr/qr-code.ts';
import type { StoreLink } from '../targets.ts';
import { exitHref, fill, fillTitle, type Html, href, html, ownMarkup } from './html.ts';
import type { Banner, Page, Shown, Social, Ways } from './page.ts';
import { layOut, type PageContent, type RenderedPage } from './page-layout.ts';
import { ASK_TOUCH, COPY_LINK, SHOW_MENU, SHOW_MENU_AND_COPY } from './page-scripts.ts';

/**
 * Renders a page. `csp` is its Content-Security-Policy, which allows only the page's own style and script, by their
 * hashes.
 * @param language of the reader (see `languageFor`)
 */
export function renderPage(page: Page, language: Language = ENGLISH): RenderedPage {
  return layOut(contentOf(page, language), language);
}

function contentOf(page: Page, { texts }: Language): PageContent {
  switch (page.kind) {
    case 'choose':
      return {
        ...openIn(page.app),
        head: html`${bannerTag(page.banner)}${socialTags(page.social, page.app.name)}`,
        body: [
          paragraph(page.stores.length === 0 ? texts.leadsIntoApp : `${texts.leadsIntoApp} ${texts.getAppFirst}`),
          buttons(waysOf(page, texts)),
          ...copyNote(page),
        ],
        script: copies(page) ? COPY_LINK : null,
      };
    case 'in-app': {
      const exit = exitButton(page.exit, texts);
      return {
        ...openIn(page.app),
        head: bannerTag(page.banner),
        body: [
          paragraph(page.inApp === null ? texts.insideAnother : fill(texts.inside, { app: page.inApp })),
          buttons(waysOf(page, texts), exit),
          ...copyNote(page),
          html`<p class="note" id="menu" tabindex="-1">${fill(texts.useMenu, {
            first: bold(fillTitle(texts.openInNamed, { browser: page.platform === 'ios' ? 'Safari' : 'Chrome' })),
            second: bold(texts.openInBrowser),
          })}</p>`,
        ],
        reports: exit !== null,
        script: scriptInApp(exit !== null && page.exit?.mayFail === true, copies(page)),
      };
    }
    case 'desktop':
      return {
        ...openIn(page.app),
        head: socialTags(page.social, page.app.name),
        heading: fill(texts.opensInApp, { app: page.app.name }),
        body: [
          paragraph(texts.scanOrOpen),
          pageQr(page.linkUrl, texts.qrCode),
          html`<p class="link" dir="ltr">${page.linkUrl}</p>`,
          buttons(storeWays(page.stores, texts)),
        ],
      };
    case 'ask-touch':
      return {
        ...openIn(page.app),
        heading: html`<bdi>${page.app.name}</bdi>`,
        body: [
          paragraph(texts.whereOpening),
          buttons([
            { id: 'touch', label: texts.onIpad, url: page.touchUrl },
            { id: 'other', label: texts.onComputer, url: page.otherUrl },
          ]),
        ],
        script: ASK_TOUCH,
      };
    case 'preview': {
      const { title, description } = page.social;
      return {
        title,
        head: socialTags(page.social, page.app.name),
        app: page.app,
        heading: html`<bdi>${title}</bdi>`,
        body: [description === null ? null : html`<p dir="auto">${description}</p>`, buttons(waysOf(page, texts))],
      };
    }
    case 'gone':
      return sorry(page.app, texts.linkEnded, texts.linkEndedWhy);
    case 'unknown-link':
      return sorry(page.app, texts.noSuchLink, texts.noSuchLinkWhy);
    case 'unknown-host':
      return sorry(null, texts.nothingHere, texts.nothingHereWhy);
    case 'method-not-allowed':
      return sorry(null, texts.notPossible, texts.notPossibleWhy);
    case 'busy':
      return sorry(
        null,
        texts.oneMoment,
        texts.oneMomentWhy,
        html`<ul><li><a class="button" href="">${texts.tryAgain}</a></li></ul>`,
      );
  }

  function copyNote(page: Copying): Html[] {
    return copies(page) ? [html`<p class="note">${texts.copiesLink}</p>`] : [];
  }

  function openIn(app: Shown) {
    return {
      title: fillTitle(texts.openInApp, { app: app.name }),
      app,
      heading: fill(texts.openInApp, { app: app.name }),
      sentence: app.branding.sentence,
    };
  }
}

type Copying = Pick<Ways, 'copied' | 'stores'>;

/** Only the button to a single store copies. */
const copies = ({ copied = null, stores }: Copying): boolean => copied !== null && stores.length === 1;

function scriptInApp(showsMenu: boolean, copies: boolean): Html | null {
  if (showsMenu) return copies ? SHOW_MENU_AND_COPY : SHOW_MENU;
  return copies ? COPY_LINK : null;
}

const paragraph = (text: string | Html): Html => html`<p>${text}</p>`;

const bold = (text: string): Html => html`<b>${text}</b>`;

const sorry = (app: Shown | null, heading: string, why: string, more: Html | null = null): PageContent => ({
  title: heading,
  app,
  heading: html`${heading}`,
  body: [paragraph(why), more],
});

/**
 * A way into the app, to a store or to the web. Its button is a link, which works without scripts. `id`: the script of the
 * touch check looks for it. `copied`: the link that a tap on the button copies.
 */
type Way = { label: string; url: string; id?: 'touch' | 'other'; copied?: string | null };

function waysOf({ openUrl, stores, webUrl, copied = null }: Ways, texts: Texts): Way[] {
  return [
    { label: texts.openApp, url: openUrl },
    ...(stores.length === 1
      ? stores.map(({ url }) => ({ label: texts.getApp, url, copied }))
      : storeWays(stores, texts)),
    ...(webUrl === null ? [] : [{ label: texts.continueOnWeb, url: webUrl }]),
  ];
}

const storeWays = (stores: readonly StoreLink[], texts: Texts): Way[] =>
  stores.map(({ store, url }) => ({ label: texts.getAppFor[store], url }));

/** @param exit the button out of another app, with its label. It is the last one, next to the way by hand. */
function buttons(ways: readonly Way[], exit: Html | null = null): Html | null {
  const items = ways.flatMap(({ label, url, id, copied = null }) => {
    const safe = href(url);
    const named = id === undefined ? null : html` id="${id}"`;
    const copying = copied === null ? null : html` id="copy" data-copied="${copied}"`;
    return safe === null ? [] : [html`<li><a class="button"${named}${copying} href="${safe}">${label}</a></li>`];
  });
  if (exit !== null) items.push(exit);
  return items.length === 0 ? null : html`<ul>${items}</ul>`;
}

/**
 * Returns the button out of another app. The browser itself reports the tap (`ping`), so that the link needs no script
 * and no detour: apps look at the link that is tapped, and may ignore a redirect.
 */
function exitButton(exit: Exit | null, { openInBrowser }: Texts): Html | null {
  const to = exit && exitHref(exit.url);
  if (exit === null || to === null) return null;
  return html`<li><a class="button" id="exit" href="${to}" ping="${exit.reportPath}">${openInBrowser}</a></li>`;
}

/** Commas separate the parts of the banner. */
function bannerTag(banner: Banner | null): Html | null {
  const argument = banner === null ? null : href(banner.argument)?.replaceAll(',', '%2C');
  if (banner === null || argument === undefined || argument === null) return null;
  return html`<meta name="apple-itunes-app" content="app-id=${banner.appId}, ${banner.appClipBundleId === null ? null : html`app-clip-bundle-id=${banner.appClipBundleId}, app-clip-display=card, `}app-argument=${argument}">
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

/**
 * The longest address in the code, in bytes. A longer one makes modules that a phone cannot read from a screen, and a
 * page over 15 KB.
 */
const MAX_BYTES = 150;
const PIXELS = 176;

/** Everyone who loads the page starts this work, so a new code is a quick one. About 6 KB each. */
const codes = new LRUCache<string, Html>({
  max: 200,
  memoMethod: (address) => ownMarkup(qrSvg(layoutOf(address, { quick: true }), { size: PIXELS })),
});

/** Returns the code. A query that makes the address too long is left out. Null: the link itself is too long. */
function pageQr(linkUrl: string, label: string): Html | null {
  const address = [linkUrl, linkUrl.replace(/\?.*$/s, '')]
    .map((url) => `${url}${url.includes('?') ? '&' : '?'}qr`)
    .find((url) => Buffer.byteLength(url) <= MAX_BYTES);
  if (address === undefined) return null;
  return html`<div class="qr" role="img" aria-label="${label}">${codes.memo(address)}</div>`;
}
