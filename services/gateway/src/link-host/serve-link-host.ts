// Serves the hosts of apps: taps on links, and the files that connect iOS and Android with the app.

import type { App, Link } from '@landfall/contracts';
import {
  ApiError,
  type ClientAddress,
  gathered,
  type HttpRequest,
  type HttpResponse,
  hostOf,
  type LimitCounter,
  type Next,
  ownUrl,
  send,
  sendText,
  setRoute,
} from '@landfall/http';
import { appleAppSiteAssociation, assetLinks, serveAssociation } from '../association/association-files.ts';
import type { Countries } from '../country/country-of.ts';
import { isLive } from '../links/link.ts';
import { linkUrl, ownHosts } from '../links/link-view.ts';
import { isOnEveryHost, isReservedSegment } from '../links/reserved-paths.ts';
import { decoded, isGuessable } from '../lookups/plain-slug.ts';
import type { GatewayParts } from '../routing/route.ts';
import { questionOf } from '../visitor/client-hints.ts';
import { answerTap, type TapAnswer } from './answer-tap.ts';
import { reportedIn, rowOf } from './exits/exits.ts';
import { type ExitServing, serveExits } from './exits/serve-exits.ts';
import type { Page } from './pages/page.ts';
import type { QrLogo } from './qr/qr-logo.ts';
import { qrPath, serveQr } from './qr/serve-qr.ts';
import { isTap, queryOf, tapReader } from './read-tap.ts';
import { recordTap, type Tap } from './record-tap.ts';
import { isSimulated, type ServeSimulatedApp, SIMULATED_APP_SEGMENT } from './stands-in.ts';
import type { StepRequest, Steps } from './steps/steps.ts';
import { appOfHost, pageResponse, TAP_HEADERS, type TapResponse, tapResponse } from './tap-request.ts';
import { asksToExplain } from './tapped-query.ts';
import type { TapTeller } from './tell-tap.ts';
import { unansweredTaps } from './unanswered-taps.ts';
import { unknownSlugs } from './unknown-slugs.ts';

export interface LinkHostServing {
  parts: GatewayParts;
  limits: LimitCounter;
  taps: TapTeller;
  addressOf(req: HttpRequest): ClientAddress;
  countries: Countries;
  sawPerson(req: HttpRequest, address: ClientAddress): void;
  exitUsed: ExitServing['exitUsed'];
  simulatedApp: ServeSimulatedApp;
  steps: Steps;
}

export function serveLinkHost(serving: LinkHostServing) {
  const { parts, steps } = serving;
  const { hosts } = parts;
  const sendQr = serveQr({ ...serving, work: parts.work });
  const exits = serveExits(serving);
  const unanswered = unansweredTaps(parts.log);
  const readTap = tapReader(serving);
  const record = recordTap(serving);
  const unknown = unknownSlugs({ limits: serving.limits, now: parts.now });
  const { SIMULATED_APP: simulatedId } = parts.config;
  const appAt = async (host: string): Promise<App | null> => appOfHost(host, parts);

  /** Serves all paths on an app's host except those of the product. The API answers on its own host only. */
  function tapOrPass(req: HttpRequest, res: HttpResponse, next: Next): Promise<void> | void {
    const path = req.path;
    const end = path.indexOf('/', 1);
    const segment = path.slice(1, end < 0 ? path.length : end);
    const host = hostOf(req);
    if (isOnEveryHost(segment)) return next();
    if (segment.toLowerCase() === SIMULATED_APP_SEGMENT) return simulate(req, res, next);
    // The API may have the same host. It comes first, and links have the paths that are left.
    if (hosts.isSimulatedApp(host) && hosts.isApi(host)) return tapOnSharedHost(req, res, next, path);
    if (hosts.isApi(host)) return next();
    // The API has its own host. A page on an app's host must not act as one of ours.
    if (isReservedSegment(segment) || (hosts.isOwn(host) && !hosts.isSimulatedApp(host)))
      return next(new ApiError('NOT_FOUND'));
    return tap(req, res, path);
  }

  async function simulate(req: HttpRequest, res: HttpResponse, next: Next): Promise<void> {
    const app = await appAt(hostOf(req));
    const plays = app !== null && app.archivedAt === null && isSimulated(app, parts.config);
    return plays ? serving.simulatedApp(app, req, res) : next(new ApiError('NOT_FOUND'));
  }

  /** Answers a tap on a link of the simulated app. Passes on everything else. */
  async function tapOnSharedHost(req: HttpRequest, res: HttpResponse, next: Next, path: string): Promise<void> {
    const [segment = '', ...more] = segmentsOf(path);
    const isLink =
      segment !== '' &&
      more.length === 0 &&
      !isReservedSegment(segment) &&
      (isRead(req) || reportedIn(queryOf(req)) !== null);
    const link = isLink ? await parts.lookups.slug(simulatedId!, qrPath(segment)?.slug ?? segment) : null;
    return link === null ? next() : tap(req, res, path);
  }

  async function tap(req: HttpRequest, res: HttpResponse, path: string): Promise<void> {
    setRoute(res, 'link-host');
    Object.assign(gathered(res), TAP_HEADERS);
    try {
      await answerOnHost(req, res, path);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // A person waits for this page. After any error it asks them to try again.
      unanswered(error, res.locals.requestId);
      const headers = gathered(res);
      delete headers.Location;
      headers['Retry-After'] = 2;
      page(req, res, { kind: 'busy' });
    }
  }

  async function answerOnHost(req: HttpRequest, res: HttpResponse, path: string): Promise<void> {
    const segments = segmentsOf(path);
    const report = req.method === 'POST' ? reportedIn(queryOf(req)) : null;
    if (report !== null) return exits.reported(req, res, report, segments[0]);
    if (!isRead(req)) {
      gathered(res).Allow = 'GET, HEAD';
      return page(req, res, { kind: 'method-not-allowed' });
    }
    const label = hosts.appLabel(hostOf(req));
    const app = await appAt(hostOf(req));
    if (!app) return page(req, res, { kind: 'unknown-host' });
    if (segments.length === 0 && app.archivedAt === null && leadsAway(app, label))
      // The URL is encoded for the header, because owners may write it in their own script.
      return redirect(res, new URL(app.webFallbackUrl).href);
    const qr = segments.length === 1 ? qrPath(segments[0]!) : null;
    const address = serving.addressOf(req);
    const link = segments.length === 1 ? await found(app, qr?.slug ?? segments[0]!, address) : null;
    if (!link) return page(req, res, { kind: 'unknown-link', app });
    if (qr !== null && app.archivedAt === null && isLive(link, parts.now()))
      return sendQr(
        req,
        res,
        { slug: link.slug, url: linkUrl(app, link, parts.config), logo: await logoOf(app) },
        qr.format,
      );
    const { tap, asStep, isStep } = await readTap(req, address, app, link);
    if (asksToExplain(tap.tappedQuery, req.headers, tap.visitor.kind))
      return redirect(
        res,
        ownUrl(parts.config.PUBLIC_URL, '/api/manage/explain/open', { link: tap.linkUrl + tap.tappedQuery }),
      );
    const answer = answerTap(tap);
    if (answer.click && isTap(req)) {
      exits.arrived(tap);
      if (!isStep) {
        Object.assign(gathered(res), questionOf(req.headers, tap));
        await recorded(req, address, tap, answer, asStep);
      }
    }
    respond(res, tapResponse(answer, req.headers));
  }

  async function found(app: App, slug: string, address: ClientAddress): Promise<Link | null> {
    const guessable = isGuessable(slug);
    if (guessable && unknown.isOver(address)) return null;
    const link = await parts.lookups.slug(app.id, slug);
    if (link === null && guessable) await unknown.missed(address);
    return link;
  }

  async function logoOf({ branding: { logo: hash } }: App): Promise<QrLogo | null> {
    const png = hash === null ? null : await parts.lookups.logo(hash);
    return hash === null || png === null ? null : { hash, png };
  }

  /** True when the fallback is not on a host of the app. Otherwise it would lead back to us for ever. */
  function leadsAway(app: App, label: string | null): app is App & { webFallbackUrl: string } {
    if (app.webFallbackUrl === null) return false;
    const { host } = new URL(app.webFallbackUrl);
    return hosts.appLabel(host) !== label && !ownHosts(app, parts.config).includes(host);
  }

  /** Records a tap. A tap over the rate limit is answered but not recorded. */
  async function recorded(
    req: HttpRequest,
    address: ClientAddress,
    tap: Tap,
    answer: TapAnswer,
    asStep: StepRequest | null,
  ): Promise<void> {
    serving.sawPerson(req, address);
    if (!(await record(req, address, tap, answer)) || asStep === null) return;
    const { page } = answer;
    if (page?.kind !== 'in-app' && page?.kind !== 'choose') return;
    const exit = page.kind === 'in-app' && page.exit ? (rowOf(tap.visitor)?.id ?? null) : null;
    await steps.remember({ ...asStep, exit }, { tapId: tap.id, tappedAt: tap.now.toISOString() });
  }

  return {
    tapOrPass,
    appleAppSiteAssociation: serveAssociation(appAt, appleAppSiteAssociation),
    assetLinks: serveAssociation(appAt, assetLinks),
    /** Allows preview bots, because without them there are no previews. Every answer carries `noindex`. */
    robots: (_: HttpRequest, res: HttpResponse): void => sendText(res, 200, 'User-agent: *\nDisallow:\n'),
  };
}

const segmentsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);

const isRead = ({ method }: HttpRequest): boolean => method === 'GET' || method === 'HEAD';

/** Sends a page in the reader's language. */
function page(req: HttpRequest, res: HttpResponse, content: Page): void {
  respond(res, pageResponse(content, req.headers));
}

function redirect(res: HttpResponse, location: string): void {
  gathered(res).Location = location;
  sendText(res, 302, '');
}

function respond(res: HttpResponse, { status, headers, type, body }: TapResponse): void {
  Object.assign(gathered(res), headers);
  send(res, status, type, body);
}
