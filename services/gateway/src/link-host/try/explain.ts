// Says what a tap on a link would do, and why. It asks `answerTap`, the function that answers taps, with a made-up
// visitor, and records nothing.

import type { App, Link } from '@landfall/contracts';
import { type Hashes, type Hosts, type HttpConfig, responseHeaders } from '@landfall/http';
import { type Visitor, WEB_VIEW } from '../../visitor/visitor.ts';
import { answerTap, type TapAnswer, type TapInput, type TapRule } from '../answer-tap.ts';
import { NOT_IN_STORE, SIMULATED_APP_SEGMENT } from '../stands-in.ts';
import { TAP_HEADERS, type TapRequest, type TapResponse, tapInput, tapResponse, visitorOf } from '../tap-request.ts';

export const TRY_STEPS = ['host', 'link', 'visitor', 'app', 'rule', 'answer', 'record', 'install'] as const;

export interface Step {
  step: (typeof TRY_STEPS)[number];
  /** A sentence. */
  detail: string;
}

export interface Explanation {
  rule: TryRule;
  steps: Step[];
  visitor: TapInput['visitor'];
  /** True when the phone opens the app. Then the link host gets no request, and `answer` is what it would say. */
  opensApp: boolean;
  answer: TapAnswer;
  response: TapResponse;
}

interface ExplainParts {
  hosts: Hosts;
  config: HttpConfig;
  hashes: Hashes;
  now(): Date;
}

export function explain(
  { app, link }: { app: App; link: Link },
  asked: TapRequest,
  installed: boolean,
  parts: ExplainParts,
): Explanation {
  const now = parts.now();
  const playToken = placeholder(app, link, now, parts);
  const clipToken = app.clipboard ? playToken : null;
  const input = tapInput(
    asked,
    { visitor: visitorOf(asked, app, parts.config), app, link, now, playToken, clipToken },
    parts,
  );
  const answer = answerTap(input);
  const response = tapResponse(answer, asked.headers);
  const headers = { ...responseHeaders(parts.config.PUBLIC_URL), ...TAP_HEADERS, ...response.headers };
  const opening = installed ? opensApp(app, input.visitor, new URL(input.linkUrl).protocol) : null;
  const opens = opening?.opens === true;
  const rule: TryRule = opens ? 'app-opens' : answer.rule;
  return {
    rule,
    steps: stepsOf(input, asked, answer, rule, opening),
    visitor: input.visitor,
    opensApp: opens,
    answer,
    response: { ...response, headers: { ...headers, 'Content-Type': response.type } },
  };
}

/** As long as a token, because long URLs of Play are cut. It is none: a real one would be good for a restore. */
function placeholder(app: App, link: Link, now: Date, { hashes }: ExplainParts): string {
  const token = hashes.signTap(app.id, { tapId: link.id, linkId: link.id, tappedAt: now.toISOString() });
  return 'x'.repeat(token.length);
}

function stepsOf(
  { app, link, visitor }: TapInput,
  { host }: TapRequest,
  answer: TapAnswer,
  rule: TryRule,
  opening: OpensApp | null,
): Step[] {
  const start: Step[] = [
    { step: 'host', detail: `${host} belongs to the app ${app.name}.` },
    { step: 'link', detail: linkSentence(link) },
    { step: 'visitor', detail: visitorSentence(visitor) },
    { step: 'app', detail: opening?.why ?? 'The app is not installed.' },
    { step: 'rule', detail: rule === 'phone-to-store' ? storeSentence(answer) : tryRules[rule] },
  ];
  if (rule === 'app-opens')
    return [...start, { step: 'answer', detail: `The app gets the link, and shows ${link.destination}.` }];
  return [
    ...start,
    { step: 'answer', detail: answerSentence(answer) },
    { step: 'record', detail: recordSentence(answer) },
    ...(answer.deferred ? [{ step: 'install' as const, detail: installSentence(answer) }] : []),
  ];
}

const PAGES = {
  webUrl: 'for the web',
  iosUrl: 'instead of the App Store',
  androidUrl: 'instead of Google Play',
  expiredUrl: 'after its end',
} as const;

function linkSentence(link: Link): string {
  const { slug, destination, expiresAt } = link;
  const names = Object.keys(PAGES) as (keyof typeof PAGES)[];
  const own = names.filter((name) => link[name] != null).map((name) => `${link[name]} ${PAGES[name]}`);
  const pages = own.length === 0 ? '' : ` Its own pages: ${own.join(', ')}.`;
  return `${slug} leads to ${destination}${expiresAt === null ? '' : `, until ${expiresAt}`}.${pages}`;
}

const PLATFORMS = { ios: 'iOS', android: 'Android', desktop: 'a computer', unknown: 'an unknown device' } as const;

function visitorSentence({ kind, platform, inApp }: TapInput['visitor']): string {
  if (kind === 'bot') return 'The user agent is that of a bot.';
  if (kind === 'prefetch') return 'The browser says that it loads the link before a tap.';
  if (kind === 'unknown') return 'The user agent names no browser.';
  const where = inApp === null ? '' : inApp === WEB_VIEW ? ', inside an unknown app' : `, inside ${inApp}`;
  return `A person on ${PLATFORMS[platform]}${where}.`;
}

function answerSentence({ status, location, page, retryAfter }: TapAnswer): string {
  if (location !== undefined) return `${status}: the browser goes to ${location}`;
  if (page) return `${status}: the page “${page.kind}”.`;
  return `${status}: nothing. The browser may load links early again in ${retryAfter} seconds.`;
}

const STORES = new Set(['play.google.com', 'apps.apple.com', 'itunes.apple.com']);

/** Says what the phone opens by the rule `phone-to-store`. */
function storeSentence({ location = '' }: TapAnswer): string {
  const url = URL.parse(location);
  if (url?.pathname.split('/')[1] === SIMULATED_APP_SEGMENT) return NOT_IN_STORE;
  if (url?.protocol === 'market:' || STORES.has(url?.hostname ?? '')) return 'The store of the phone opens.';
  return tryRules['phone-to-store'];
}

const recordSentence = ({ click, rule }: TapAnswer): string => {
  if (click) return 'A tap would be recorded, and other programs would be told of it.';
  return rule === 'touch-check'
    ? 'A tap would be recorded when the page has found out the device.'
    : 'Nothing would be recorded.';
};

const installSentence = ({ location }: TapAnswer): string =>
  location?.includes('lf_click') === true
    ? 'After the install, Google Play gives the token of this tap to the app, and the first start gets the destination.'
    : 'After the install, the first start gets the destination if its address or its email fits this tap. No other start gets it.';

/** `app-opens`: the phone opens the app by itself, and asks no link host. */
type TryRule = TapRule | 'app-opens';

/** The rules in words. */
const tryRules = {
  'app-opens': 'The app is installed, and the phone opens it. The link host gets no request.',
  'app-archived': 'The app is archived, so none of its links works.',
  'link-archived': 'The link is archived.',
  'link-expired': 'The link has expired.',
  prefetch: 'A browser that loads a link before the tap gets nothing. It comes again with its person.',
  bot: 'A bot gets the preview: title, text and image. It is no tap.',
  'unknown-device':
    'The device has no store that we know, so the visitor gets all buttons. A program that names no browser is no tap.',
  'touch-check': 'Safari on a Mac and on an iPad send the same user agent. A page finds out which one it is.',
  'desktop-to-web': 'On a computer the web page opens: that of the link, else that of the app.',
  'desktop-page': 'On a computer, without a web page of the link or the app, a page asks to open the link on a phone.',
  'in-app-page':
    'Inside another app nobody can see whether the app is installed, so nothing opens by itself. The person gets a page with buttons.',
  'phone-clip':
    'The app has an App Clip. Safari shows its card on a page only, so the person gets a page with a button for the App Store.',
  'phone-after-exit':
    'The person came to the browser out of another app, where iOS opens no app. The app may be installed, so the person gets a page with buttons.',
  'phone-copies':
    'The app reads a link from the clipboard. Only the tap on a button may copy one, so the person gets a page with a button for the App Store.',
  'phone-to-store': 'The store of the phone opens, or the page that the link or the app has in its place.',
  'phone-to-web': 'Neither the app nor the link has a page in the store of the phone, so the web page opens.',
  'phone-page': 'The app has no page in the store of the phone and no web page for it, so the person gets a page.',
} as const satisfies Record<TryRule, string>;

export const tryRuleNames = Object.keys(tryRules) as [TryRule, ...TryRule[]];

interface OpensApp {
  opens: boolean;
  /** A sentence. */
  why: string;
}

/**
 * Whether a phone with the app opens it for a tap. The phone decides this by itself: no request reaches a link host.
 * @param scheme `http:` or `https:` of the link
 */
function opensApp(app: App, visitor: Visitor, scheme: string): OpensApp {
  const no = (why: string): OpensApp => ({ opens: false, why });
  const { platform } = visitor;
  if (visitor.kind !== 'person') return no('No person taps here, so no app opens.');
  if (platform !== 'ios' && platform !== 'android') return no('No app of yours can be on this device.');
  if (visitor.inApp !== null)
    return no('A browser inside another app does not pass the link to the phone, so the app does not open by itself.');
  if (scheme !== 'https:') return no('The app is installed, but phones open apps only from https links.');
  if (app.archivedAt !== null) return no('The app is archived, so phones get no association file.');
  if (platform === 'ios') {
    if (app.ios.teamId === null || app.ios.bundleId === null)
      return no('The app is installed, but its settings lack the team identifier or the bundle identifier.');
    return { opens: true, why: `The phone opens ${app.ios.teamId}.${app.ios.bundleId} by its Universal Link.` };
  }
  if (app.android.package === null || app.android.certificates.length === 0)
    return no('The app is installed, but its settings lack the application id or the fingerprint of its certificate.');
  if (visitor.store === null) return no('It is not known whether this device verifies App Links.');
  return { opens: true, why: `The phone opens ${app.android.package} by its App Link.` };
}
