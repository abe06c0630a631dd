// From a request on a link host to the input of `answerTap`, and from its answer to the response. Taps and `/try` share
// both, so that `/try` shows what a tap gets.

import type { App, Link } from '@landfall/contracts';
import type { Hosts, HttpConfig } from '@landfall/http';
import { linkUrl, openHost, ownHosts, subdomainHost, urlOn } from '../links/link-view.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { asTold, classifyVisitor, type Visitor, type VisitorHeaders } from '../visitor/visitor.ts';
import type { TapAnswer, TapInput } from './answer-tap.ts';
import { languageFor } from './languages/languages.ts';
import { type Page, statusOf } from './pages/page.ts';
import { renderPage } from './pages/page-contents.ts';
import { asPlayed, simulatedStores } from './stands-in.ts';

export interface TapRequest {
  /** The requested host, perhaps with a port. */
  host: string;
  headers: VisitorHeaders;
  /** The query, with or without its question mark. */
  tappedQuery: string;
}

type Facts = Pick<TapInput, 'visitor' | 'app' | 'link' | 'now' | 'playToken' | 'clipToken'>;

interface AppParts {
  hosts: Hosts;
  lookups: Pick<Lookups, 'app' | 'host'>;
  config: HttpConfig;
}

/** Finds the app whose links a host has. Null when no app has it. */
export async function appOfHost(host: string, { hosts, lookups, config }: AppParts): Promise<App | null> {
  if (config.SIMULATED_APP !== undefined && hosts.isSimulatedApp(host)) return lookups.app(config.SIMULATED_APP);
  const label = hosts.appLabel(host);
  return label === null ? null : lookups.host(label);
}

/** Returns the visitor, corrected by the page's answer if there is one. */
export const visitorOf = ({ headers, tappedQuery }: TapRequest, app: App, config: HttpConfig): Visitor =>
  asPlayed(asTold(classifyVisitor(headers), tappedQuery), tappedQuery, app, config);

export function tapInput(
  { host, tappedQuery }: TapRequest,
  { app, link, ...facts }: Facts,
  { hosts, config }: { hosts: Hosts; config: HttpConfig },
): TapInput {
  const [asked, other] = askedUrls(host, app, link, { hosts, config });
  return {
    app,
    link,
    ...facts,
    hosts: ownHosts(app, config),
    linkUrl: asked,
    openUrl: other,
    tappedQuery,
    simulated: simulatedStores(app, asked, config),
  };
}

export function askedUrls(
  host: string,
  app: App,
  link: Link,
  { hosts, config }: { hosts: Hosts; config: HttpConfig },
): readonly [asked: string, other: string] {
  const open = urlOn(openHost(app, config), link, config);
  // The phone finds no other host. The simulated app is no app that iOS would open.
  if (hosts.isSimulatedApp(host)) {
    const asked = urlOn(config.SIMULATED_APP_HOST!, link, config);
    return [asked, asked];
  }
  return hosts.isOpen(host)
    ? [open, linkUrl(app, link, config)]
    : [urlOn(askedHost(hosts.appLabel(host), app, config), link, config), open];
}

/** Returns the custom domain, or the app's subdomain, also for a former subdomain. */
function askedHost(label: string | null, app: App, config: HttpConfig): string {
  return label?.includes('.') ? label : subdomainHost(app, config);
}

export interface TapResponse {
  status: number;
  headers: Readonly<Record<string, string | number>>;
  type: string;
  body: string;
}

/** Headers of everything on a link host that depends on the visitor. */
export const TAP_HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' } as const;

/** @param reader the headers of the reader, who gets a page in their language */
export function tapResponse(answer: TapAnswer, reader: VisitorHeaders): TapResponse {
  const { status, page, location, retryAfter } = answer;
  const headers = {
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    ...(location !== undefined && { Location: location }),
  };
  if (location === undefined && page) return pageResponse(page, reader);
  return { status, headers, type: 'text/plain; charset=utf-8', body: '' };
}

export function pageResponse(page: Page, { 'accept-language': languages }: VisitorHeaders): TapResponse {
  const { body, csp } = renderPage(page, languageFor(typeof languages === 'string' ? languages : undefined));
  const headers = { 'Content-Security-Policy': csp, Vary: 'Accept-Language' };
  return { status: statusOf(page), headers, type: 'text/html; charset=utf-8', body };
}
