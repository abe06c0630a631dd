// Records the uses of exits: a browser reports the tap on the button, and the link is requested again outside.
import { type ClientAddress, hostOf, type LimitCounter } from '@landfall/http';
import type { Request, Response } from 'express';
import type { Uses } from '../../routing/route.ts';
import { classifyVisitor } from '../../visitor/visitor.ts';
import type { TapInput } from '../answer-tap.ts';
import { appOfHost } from '../app-of-host.ts';
import type { ExitRow } from './exit-table.ts';
import { leftBy, rowOf } from './exits.ts';
import type { TellExit, UsedExit } from './tell-exits.ts';

export interface ExitServing {
  parts: Uses<'lookups' | 'hosts' | 'config'>;
  limits: LimitCounter;
  addressOf(req: Request): ClientAddress;
  tellExit: TellExit;
}

type Tap = Pick<TapInput, 'app' | 'link' | 'visitor'>;

export function serveExits({ parts, limits, addressOf, tellExit }: ExitServing) {
  return {
    /** Answers a browser that reports a use. Every report gets the same answer, also one that is not recorded. */
    async reported(req: Request, res: Response, exit: ExitRow, slug = ''): Promise<void> {
      const app = await appOfHost(hostOf(req), parts);
      const link = app?.archivedAt === null ? await parts.lookups.slug(app.id, slug) : null;
      const visitor = classifyVisitor(req.headers);
      // Only the exit that the page of this visitor has. Any other is made up.
      if (app && link && visitor.kind === 'person' && rowOf(visitor) === exit) {
        const address = addressOf(req);
        const used = await limits.use('tap', address.key, address.site);
        if (used.allowed) await tellExit(useOf(exit, 'tapped', { app, link, visitor }));
      }
      res.writeHead(204).end();
    },

    /** Records a tap that came out of another app. Nobody waits for it. */
    arrived(tap: Tap & Pick<TapInput, 'tappedQuery'>): void {
      const exit = tap.visitor.inApp === null ? leftBy(tap.tappedQuery) : null;
      if (exit !== null) void tellExit(useOf(exit, 'arrived', tap));
    },
  };
}

/** @param step `arrived`: the visitor is the browser. The app that was left is known if only one app has the exit. */
function useOf(exit: ExitRow, step: UsedExit['step'], { app, link, visitor }: Tap): UsedExit {
  const only = exit.apps !== 'others' && exit.apps.length === 1 ? (exit.apps[0] ?? null) : null;
  return {
    linkId: link.id,
    appId: app.id,
    exit: exit.id,
    step,
    platform: visitor.platform === 'ios' ? 'ios' : 'android',
    inAppBrowser: step === 'tapped' ? visitor.inApp : only,
  };
}
