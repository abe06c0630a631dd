// Reads a tap from a request: a new one, the repeat of an earlier one with the model of the phone, or a further step of one.
import { type App, type Link, newId } from '@landfall/contracts';
import { type ClientAddress, type HttpRequest, hostOf } from '@landfall/http';
import type { Uses } from '../routing/route.ts';
import { repeatedTap } from '../visitor/client-hints.ts';
import { isShown, type Visitor } from '../visitor/visitor.ts';
import { leftBy } from './exits/exits.ts';
import type { Tap } from './record-tap.ts';
import type { StepRequest, Steps } from './steps/steps.ts';
import { tapInput, visitorOf } from './tap-request.ts';

export interface TapReading {
  parts: Uses<'hashes' | 'hosts' | 'config' | 'now'>;
  steps: Steps;
}

export function tapReader({ parts, steps }: TapReading) {
  function stepOf(req: HttpRequest, address: ClientAddress, link: Link, visitor: Visitor): StepRequest | null {
    const { kind, platform, inApp } = visitor;
    if (kind !== 'person' || !address.matchable) return null;
    return {
      linkId: link.id,
      address: address.key,
      browser: parts.hashes.userAgent(req.headers['user-agent'] ?? ''),
      platform,
      inApp: inApp !== null,
      exit: leftBy(queryOf(req))?.id ?? null,
      onOpen: parts.hosts.isOpen(hostOf(req)),
    };
  }

  /** `asStep`: the request as a step of an earlier tap. Null: nobody can say whether it is one. */
  return async (req: HttpRequest, address: ClientAddress, app: App, link: Link) => {
    const asked = { host: hostOf(req), headers: req.headers, tappedQuery: queryOf(req) };
    const visitor = visitorOf(asked, app, parts.config);
    const at = parts.now();
    const repeated = repeatedTap(req.headers, app, link, at, parts.hashes);
    const asStep = isTap(req) ? stepOf(req, address, link, visitor) : null;
    const earlier = repeated === null && asStep !== null ? await steps.next(asStep) : null;
    const [id, now] =
      repeated === null ? [earlier?.tapId ?? newId(), at] : [repeated.tapId, new Date(repeated.tappedAt)];
    const named = { tapId: id, linkId: link.id, tappedAt: now.toISOString() };
    // No iPhone goes to Play, and a token is a twentieth of a tap.
    const playToken = visitor.platform === 'ios' ? null : parts.hashes.signTap(app.id, named);
    const clipToken = app.clipboard ? parts.hashes.signTap(app.id, named, 'clipboard') : null;
    const tap: Tap = { id, ...tapInput(asked, { visitor, app, link, now, playToken, clipToken }, parts) };
    return { tap, asStep, isStep: earlier !== null };
  };
}

/** True when a browser shows the answer. */
export const isTap = ({ method, headers }: HttpRequest): boolean => method === 'GET' && isShown(headers);

export const queryOf = (req: HttpRequest): string => {
  const at = req.url.indexOf('?');
  return at < 0 ? '' : req.url.slice(at);
};
