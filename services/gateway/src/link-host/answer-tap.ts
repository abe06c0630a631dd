// Decides what a tap gets, from the visitor, the app and the link. There is one function for each case.
import type { App, Link } from '@landfall/contracts';
import type { Page, Social } from './pages/pages.ts';
import type { StoreLink, TargetInput } from './targets.ts';
import { amazonUrl, appStoreUrl, huaweiUrl, playUrl, webUrl } from './targets.ts';
import { TOUCH_PARAMETER, type Visitor, WEB_VIEW } from './visitor/visitor.ts';

export type TapInput = {
  /** As the page told, if it told (`asTold`). */
  visitor: Visitor;
  app: App;
  link: Link;
  /** The app's own, with ports: nothing leads there. */
  hosts: readonly string[];
  now: Date;
  /** `https://<host>/<slug>` on the host that was asked. */
  linkUrl: string;
  /** The same link on a host that the page is not on: iOS opens no app for a link to the page's own host. */
  openUrl: string;
  /** With or without its question mark. */
  tappedQuery: string;
  /** Names this tap to the app, through Play. */
  playToken: string;
};

export type TapAnswer = {
  status: 200 | 302 | 410 | 503;
  /** With 302. */
  location?: string;
  /** With 200 and 410. A 503 has no body: only a browser that nobody looks at gets it. */
  page?: Page;
  /** Seconds, with 503: for so long the browser need not ask ahead of its person again. */
  retryAfter?: number;
  /** True when a person tapped: LinkClicked is published. */
  click: boolean;
  /** True when an install may be matched with the tap. */
  deferred: boolean;
};

/** Chrome asks a host that answered 503 for nothing ahead of a tap until then; the tap itself is not held up. */
const PREFETCH_RETRY_SECONDS = 3_600;

export function answerTap(input: TapInput): TapAnswer {
  const { visitor, app, link, now } = input;
  if (app.archivedAt !== null || !isLive(link, now)) return page(410, { kind: 'gone', app });
  if (visitor.kind === 'prefetch') {
    return { status: 503, retryAfter: PREFETCH_RETRY_SECONDS, click: false, deferred: false };
  }
  if (visitor.kind === 'bot') return preview(input);
  if (visitor.kind === 'unknown' || visitor.platform === 'unknown') return everyButton(input);
  if (visitor.platform === 'desktop') return onDesktop(input);
  if (visitor.inApp !== null) return inApp(input, visitor.inApp);
  return onPhone(input);
}

/** Neither archived nor expired. */
export function isLive(link: Link, now: Date): boolean {
  return link.archivedAt === null && (link.expiresAt === null || Date.parse(link.expiresAt) > now.getTime());
}

/** A tapped query without what our own page put into it: this is what a click is stored with. */
export function withoutTouch(tappedQuery: string): string {
  const query = tappedQuery.replace(/^\?/, '');
  if (!query.includes(TOUCH_PARAMETER)) return query;
  return query
    .split('&')
    .filter((part) => !part.startsWith(`${TOUCH_PARAMETER}=`))
    .join('&');
}

/** A browser on a phone or tablet: the store at once, else the web, else a page. Never a store that the phone has not. */
function onPhone(input: TapInput): TapAnswer {
  const store = storeOf(input);
  if (store !== null) return counted({ status: 302, location: store.url }, true);
  const web = input.visitor.store === 'apple' || input.visitor.store === 'play' ? webUrl(input) : null;
  if (web !== null) return counted({ status: 302, location: web }, true);
  return counted(page(200, choose(input, input.visitor.platform === 'ios' ? [] : everyAndroidStore(input))), true);
}

/** An in-app browser cannot see whether the app is installed, so nothing happens automatically. */
function inApp(input: TapInput, name: string): TapAnswer {
  const { app, visitor } = input;
  const store = storeOf(input);
  const stores = store !== null ? [store] : visitor.platform === 'ios' ? [] : everyAndroidStore(input);
  const platform = visitor.platform === 'ios' ? 'ios' : 'android';
  const content: Page = {
    kind: 'in-app',
    app,
    inApp: name === WEB_VIEW ? null : name,
    platform,
    openUrl: tapped(input.openUrl, input),
    stores,
    webUrl: webUrl(input),
  };
  return counted(page(200, content), true);
}

/** An iPad may say Macintosh. Where that decides, a page asks it first, comes back with the answer, and that is counted. */
function onDesktop(input: TapInput): TapAnswer {
  const { app, visitor, linkUrl } = input;
  if (visitor.maybeTablet && appStoreUrl(input) !== null) {
    return page(200, {
      kind: 'ask-touch',
      app,
      touchUrl: tapped(linkUrl, input, '1'),
      otherUrl: tapped(linkUrl, input, '0'),
    });
  }
  const location = webUrl(input);
  if (location !== null) return counted({ status: 302, location }, false);
  const stores = everyStore(input, input.playToken);
  const social = socialOf(input);
  return counted(page(200, { kind: 'desktop', app, linkUrl: tapped(linkUrl, input), stores, social }), false);
}

/** Nothing is known of the visitor, so they choose. What they choose in Play names the tap all the same. */
function everyButton(input: TapInput): TapAnswer {
  return counted(page(200, choose(input, everyStore(input, input.playToken))), false);
}

/** Bots read, and keep what they read: no token for them. */
function preview(input: TapInput): TapAnswer {
  const { app, openUrl } = input;
  const stores = everyStore(input, null);
  return page(200, {
    kind: 'preview',
    app,
    openUrl,
    stores,
    webUrl: webUrl(input),
    social: socialOf(input),
  });
}

function choose(input: TapInput, stores: StoreLink[]): Page {
  const { app, linkUrl, openUrl } = input;
  return {
    kind: 'choose',
    app,
    openUrl: tapped(openUrl, input),
    stores,
    webUrl: webUrl(input),
    banner: app.ios.storeId === null ? null : { appId: app.ios.storeId, argument: tapped(linkUrl, input) },
    social: socialOf(input),
  };
}

/** The one store that the device has by itself, if the app is in it. */
function storeOf(input: TapInput): StoreLink | null {
  const { store } = input.visitor;
  if (store === null) return null;
  const url = {
    apple: () => appStoreUrl(input),
    play: () => playUrl(input, input.playToken),
    huawei: () => huaweiUrl(input),
    amazon: () => amazonUrl(input),
  }[store]();
  return url === null ? null : { store, url };
}

/** To choose from, on Android without a store that we know the app is in. */
function everyAndroidStore(input: TapInput): StoreLink[] {
  return everyStore(input, input.playToken).filter(({ store }) => store !== 'apple');
}

function everyStore(input: TargetInput, token: string | null): StoreLink[] {
  const urls = [
    { store: 'apple', url: appStoreUrl(input) },
    { store: 'play', url: playUrl(input, token) },
    { store: 'huawei', url: huaweiUrl(input) },
    { store: 'amazon', url: amazonUrl(input) },
  ] as const;
  return urls.flatMap(({ store, url }) => (url === null ? [] : [{ store, url }]));
}

/** The preview of the link in a message or a feed: the creator's texts, else the app's name. */
function socialOf({ app, link, linkUrl }: TapInput): Social {
  const text = (max: number, ...names: string[]) => {
    const found = names
      .map((name) => link.metadata[name])
      .find((value) => typeof value === 'string' && value.trim() !== '');
    return typeof found === 'string' ? found.trim().slice(0, max).toWellFormed() : null;
  };
  return {
    title: text(200, 'og_title', 'title') ?? app.name,
    description: text(500, 'og_description', 'description'),
    imageUrl: text(2048, 'og_image', 'image'),
    url: linkUrl,
  };
}

/** The link with the query that it was tapped with; one that no link has is left out rather than handed on. */
function tapped(link: string, { tappedQuery }: TapInput, touch?: '1' | '0'): string {
  const query = withoutTouch(tappedQuery);
  const kept = query.length > 2_048 ? '' : query;
  const url = new URL(link);
  const search = [kept, touch === undefined ? '' : `${TOUCH_PARAMETER}=${touch}`]
    .filter((part) => part !== '')
    .join('&');
  url.search = search === '' ? '' : `?${search}`;
  return url.href;
}

function page(status: 200 | 410, content: Page): TapAnswer {
  return { status, page: content, click: false, deferred: false };
}

function counted(answer: Partial<TapAnswer> & Pick<TapAnswer, 'status'>, deferred: boolean): TapAnswer {
  return { ...answer, click: true, deferred };
}
