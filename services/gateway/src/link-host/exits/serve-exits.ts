// Records the uses of exits: a browser reports the tap on the button, and the link is requested again outside.
import { ExitUsed } from '@landfall/contracts';
import { type ClientAddress, type HttpRequest, type HttpResponse, hostOf, type LimitCounter } from '@landfall/http';
import type { z } from 'zod';
import type { Uses } from '../../routing/route.ts';
import { classifyVisitor } from '../../visitor/visitor.ts';
import type { TapInput } from '../answer-tap.ts';
import { appOfHost } from '../tap-request.ts';
import { type ExitRow, leftBy, rowOf } from './exits.ts';

export interface ExitServing {
  parts: Uses<'bus' | 'lookups' | 'hosts' | 'config' | 'log' | 'now'>;
  limits: LimitCounter;
  addressOf(req: HttpRequest): ClientAddress;
  exitUsed(exit: string, step: string): void;
}

type Tap = Pick<TapInput, 'app' | 'link' | 'visitor'>;
type Step = z.input<typeof ExitUsed.data>['step'];

const TELL_WITHIN_MS = 500;

export function serveExits({ parts, limits, addressOf, exitUsed }: ExitServing) {
  const { bus, log, now } = parts;

  /**
   * Sends a use. Never rejects. A lost one does not matter: operators look at how many of many uses led out.
   * @param step `arrived`: the visitor is the browser. The app that was left is known if only one app has the exit.
   */
  async function tell({ id: exit, apps }: ExitRow, step: Step, { app, link, visitor }: Tap): Promise<void> {
    exitUsed(exit, step);
    const only = apps !== 'others' && apps.length === 1 ? apps[0]! : null;
    const use = {
      linkId: link.id,
      appId: app.id,
      exit,
      step,
      platform: visitor.platform === 'ios' ? ('ios' as const) : ('android' as const),
      inAppBrowser: step === 'tapped' ? visitor.inApp : only,
    };
    try {
      await bus.tell(ExitUsed, use, { now: now(), timeoutMs: TELL_WITHIN_MS });
    } catch (error) {
      log.debug({ err: error, exit }, 'a use of an exit was not recorded');
    }
  }

  return {
    /** Answers a browser that reports a use. Every report gets the same answer, also one that is not recorded. */
    async reported(req: HttpRequest, res: HttpResponse, exit: ExitRow, slug = ''): Promise<void> {
      const app = await appOfHost(hostOf(req), parts);
      const link = app?.archivedAt === null ? await parts.lookups.slug(app.id, slug) : null;
      const visitor = classifyVisitor(req.headers);
      // Only the exit that the page of this visitor has. Any other is made up.
      if (app && link && visitor.kind === 'person' && rowOf(visitor) === exit) {
        const address = addressOf(req);
        const used = await limits.use('tap', address.key, address.site);
        if (used.allowed) await tell(exit, 'tapped', { app, link, visitor });
      }
      res.writeHead(204).end();
    },

    /** Records a tap that came out of another app. Nobody waits for it. */
    arrived(tap: Tap & Pick<TapInput, 'tappedQuery'>): void {
      const exit = tap.visitor.inApp === null ? leftBy(tap.tappedQuery) : null;
      if (exit !== null) void tell(exit, 'arrived', tap);
    },
  };
}
