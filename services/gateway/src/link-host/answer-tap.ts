// Decides the answer to a tap, from the visitor, the app and the link only. There is one function for each case.
import { cutText } from '@landfall/contracts';
import { isLive } from '../links/link.ts';
import { CLIP_PARAMETER } from '../links/tap-tokens.ts';
import { TOUCH_PARAMETER, type Visitor, WEB_VIEW } from '../visitor/visitor.ts';
import { exitOf, leftBy, outParameter } from './exits/exits.ts';
import { type Banner, type Page, type Social, statusOf } from './pages/page.ts';
import { VIA_PARAMETER, viaOf, withoutOwn } from './tapped-query.ts';
import { type StoreLink, type StoreName, type TargetInput, type Targets, targetsOf } from './targets.ts';

export type TapInput = TargetInput & {
  /** The visitor, corrected by the page's answer if there is one (`asTold`). */
  visitor: Visitor;
  now: Date;
  /** `https://<host>/<slug>` on the requested host. */
  linkUrl: string;
  /** The same link on a host other than the page's. iOS opens no app for a link to the page's own host. */
  openUrl: string;
  /** The token that names this tap to the app, through Play. Null: the phone has no Play. */
  playToken: string | null;
  /** The token that names it through the clipboard. Null: the app does not use the clipboard. */
  clipToken: string | null;
};

/** The rule that decided an answer. `try/explain.ts` says each in a sentence. */
export type TapRule =
  | 'app-archived'
  | 'link-archived'
  | 'link-expired'
  | 'prefetch'
  | 'bot'
  | 'unknown-device'
  | 'touch-check'
  | 'desktop-to-web'
  | 'desktop-page'
  | 'in-app-page'
  | 'phone-clip'
  | 'phone-after-exit'
  | 'phone-copies'
  | 'phone-to-store'
  | 'phone-to-web'
  | 'phone-page';

export type TapAnswer = {
  rule: TapRule;
  status: number;
  /** The target of a 302. */
  location?: string;
  /** The page of a 200 or 410. A 503 has no body, because only a prefetch gets it. */
  page?: Page;
  /** Seconds until the next prefetch, with 503. */
  retryAfter?: number;
  /** True when a person tapped. Then LinkClicked is sent. */
  click: boolean;
  /** True when an install may be matched with the tap. */
  deferred: boolean;
  /** Where a person was sent. Null when nobody tapped. */
  target: 'store' | 'web' | 'page' | null;
};

/** After a 503 Chrome prefetches nothing from the host for this time. The tap itself is not delayed. */
const PREFETCH_RETRY_SECONDS = 3_600;

const ANDROID_STORES: readonly StoreName[] = ['play', 'huawei', 'amazon'];

export function answerTap(input: TapInput): TapAnswer {
  const { visitor, app, link, now } = input;
  if (app.archivedAt !== null || !isLive(link, now)) return afterEnd(input);
  if (visitor.kind === 'prefetch') {
    return {
      rule: 'prefetch',
      status: 503,
      retryAfter: PREFETCH_RETRY_SECONDS,
      click: false,
      deferred: false,
      target: null,
    };
  }
  // A bot gets no token, because bots keep what they read.
  const targets = targetsOf(input, visitor.kind === 'bot' ? null : input.playToken);
  if (visitor.kind === 'bot') return preview(input, targets);
  if (visitor.kind === 'unknown' || visitor.platform === 'unknown') return everyButton(input, targets);
  if (visitor.platform === 'desktop') return onDesktop(input, targets);
  if (visitor.inApp !== null) return inApp(input, targets, visitor.inApp);
  return onPhone(input, targets);
}

/** Sends a tap on an expired link to the page that the link has for it. Nobody came to the app, so it does not count. */
function afterEnd(input: TapInput): TapAnswer {
  const rule = endOf(input);
  const location = rule === 'link-expired' ? targetsOf(input, null).afterEnd() : null;
  if (location === null) return page(rule, { kind: 'gone', app: input.app });
  return { rule, status: 302, location, click: false, deferred: false, target: null };
}

/** Returns why a tap gets nothing any more. */
function endOf({ app, link }: TapInput): TapRule {
  if (app.archivedAt !== null) return 'app-archived';
  return link.archivedAt !== null ? 'link-archived' : 'link-expired';
}

/**
 * Answers a browser on a phone or tablet: the store at once, else the web, else a page. Never a store that the phone
 * does not have.
 */
function onPhone(input: TapInput, targets: Targets): TapAnswer {
  const { visitor } = input;
  const store = visitor.store === null ? null : targets.store(visitor.store);
  const rule = store !== null && visitor.store === 'apple' ? pageBeforeStore(input) : null;
  if (rule !== null) return counted(page(rule, choose(input, targets, targets.stores(['apple']))), true);
  if (store !== null) return counted({ rule: 'phone-to-store', status: 302, location: store }, true, 'store');
  const web = visitor.store === 'apple' || visitor.store === 'play' ? targets.web() : null;
  if (web !== null) return counted({ rule: 'phone-to-web', status: 302, location: web }, true, 'web');
  const stores = visitor.platform === 'ios' ? [] : targets.stores(ANDROID_STORES);
  return counted(page('phone-page', choose(input, targets, stores)), true);
}

/** Returns the rule by which an iPhone sees a page before the App Store, or null. */
function pageBeforeStore({ app, tappedQuery, clipToken }: TapInput): TapRule | null {
  // Safari shows the card of an App Clip on a page only.
  if (app.ios.appClipBundleId !== null) return 'phone-clip';
  // iOS opens no app for a link that an app hands to Safari. So the app may be installed, and only a button opens it.
  if (leftBy(tappedQuery) !== null) return 'phone-after-exit';
  // Only a tap on a button may copy.
  return clipToken === null ? null : 'phone-copies';
}

/** Answers a tap inside another app. We cannot see there whether the app is installed, so nothing opens by itself. */
function inApp(input: TapInput, targets: Targets, name: string): TapAnswer {
  const { app, visitor } = input;
  const own = visitor.store === null ? [] : targets.stores([visitor.store]);
  const others = visitor.platform === 'ios' ? [] : ANDROID_STORES;
  const platform = visitor.platform === 'ios' ? 'ios' : 'android';
  const content: Page = {
    kind: 'in-app',
    app,
    inApp: name === WEB_VIEW ? null : name,
    platform,
    openUrl: tapped(input.openUrl, input),
    stores: own.length > 0 ? own : targets.stores(others),
    webUrl: targets.web(),
    banner: visitor.platform === 'ios' ? bannerOf(input) : null,
    exit: exitOf(name, platform, tapped(input.linkUrl, input)),
    copied: copiedOf(input),
  };
  return counted(page('in-app-page', content), true);
}

/**
 * Answers a computer. An iPad may claim to be a Macintosh. When that matters, a page checks first and returns with the
 * result, and that second request is counted.
 */
function onDesktop(input: TapInput, targets: Targets): TapAnswer {
  const { app, visitor, linkUrl } = input;
  if (visitor.maybeTablet && targets.store('apple') !== null) {
    return page('touch-check', {
      kind: 'ask-touch',
      app,
      touchUrl: tapped(linkUrl, input, '1'),
      otherUrl: tapped(linkUrl, input, '0'),
    });
  }
  const location = targets.web();
  if (location !== null) return counted({ rule: 'desktop-to-web', status: 302, location }, false, 'web');
  const stores = targets.stores();
  const social = socialOf(input);
  const content: Page = { kind: 'desktop', app, linkUrl: tapped(linkUrl, input), stores, social };
  return counted(page('desktop-page', content), false);
}

/**
 * Answers an unknown visitor with all choices. Play still gets the token of the tap. A program that names no browser is
 * nobody who taps.
 */
function everyButton(input: TapInput, targets: Targets): TapAnswer {
  const answer = page('unknown-device', choose(input, targets, targets.stores()));
  return input.visitor.kind === 'unknown' ? answer : counted(answer, false);
}

function preview(input: TapInput, targets: Targets): TapAnswer {
  const { app, openUrl } = input;
  return page('bot', {
    kind: 'preview',
    app,
    openUrl,
    stores: targets.stores(),
    webUrl: targets.web(),
    social: socialOf(input),
  });
}

function choose(input: TapInput, targets: Targets, stores: StoreLink[]): Page {
  const { app, openUrl } = input;
  return {
    kind: 'choose',
    app,
    openUrl: tapped(openUrl, input),
    stores,
    webUrl: targets.web(),
    banner: bannerOf(input),
    social: socialOf(input),
    copied: copiedOf(input),
  };
}

/** Returns the link that the button to the App Store copies, with the token of this tap. Pasted elsewhere, it works. */
function copiedOf({ visitor, linkUrl, clipToken }: TapInput): string | null {
  if (visitor.platform !== 'ios' || clipToken === null) return null;
  const url = new URL(linkUrl);
  url.search = `?${CLIP_PARAMETER}=${clipToken}`;
  return url.href;
}

/** Safari shows it also beside the page inside an app that uses Safari's own view. */
function bannerOf(input: TapInput): Banner | null {
  const { storeId, appClipBundleId } = input.app.ios;
  return storeId === null ? null : { appId: storeId, argument: tapped(input.linkUrl, input), appClipBundleId };
}

/** Returns the texts for previews in messages and feeds: those of the link's creator, else those of the app. */
function socialOf({ app, link, linkUrl }: TapInput): Social {
  const text = (max: number, ...names: string[]) => {
    const found = names
      .map((name) => link.metadata[name])
      .find((value) => typeof value === 'string' && value.trim() !== '');
    return typeof found === 'string' ? cutText(found.trim(), max) : null;
  };
  return {
    title: text(200, 'og_title', 'title') ?? app.social.title ?? app.name,
    description: text(500, 'og_description', 'description') ?? app.social.description ?? app.branding.sentence,
    imageUrl: text(2048, 'og_image', 'image') ?? app.social.imageUrl,
    url: linkUrl,
  };
}

/**
 * Returns the link with its tapped query. A query that no link has is dropped. A link with `touch` is counted as this
 * tap, so it still says how the person came.
 */
function tapped(link: string, { tappedQuery }: TapInput, touch?: '1' | '0'): string {
  const query = withoutOwn(tappedQuery);
  const kept = query.length > 2_048 ? '' : query;
  const url = new URL(link);
  const via = touch === undefined ? 'link' : viaOf(tappedQuery);
  const search = [
    kept,
    via === 'link' ? '' : `${VIA_PARAMETER}=${via}`,
    touch === undefined ? '' : `${TOUCH_PARAMETER}=${touch}`,
    touch === undefined ? '' : outParameter(tappedQuery),
  ]
    .filter((part) => part !== '')
    .join('&');
  url.search = search === '' ? '' : `?${search}`;
  return url.href;
}

function page(rule: TapRule, content: Page): TapAnswer {
  return { rule, status: statusOf(content), page: content, click: false, deferred: false, target: null };
}

function counted(
  answer: Partial<TapAnswer> & Pick<TapAnswer, 'rule' | 'status'>,
  deferred: boolean,
  target: TapAnswer['target'] = 'page',
): TapAnswer {
  return { ...answer, click: true, deferred, target };
}
