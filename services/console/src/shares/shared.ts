// Routes of viewers of a share: people without an account, whose browser sends its secret. A share answers its stored
// question, and narrower ones.
import { type App, QueryBreakdowns, QueryFunnel } from '@landfall/contracts';
import { ApiError, Reply, rateLimited, sha256 } from '@landfall/http';
import { z } from 'zod';
import type { Guest } from '../access/caller.ts';
import { countOf, figures, funnelOf } from '../analytics/analytics.ts';
import { REFUSALS, withNames } from '../analytics/asked.ts';
import { breakdownAsCsv } from '../analytics/breakdown-csv.ts';
import { cardsOf } from '../analytics/breakdowns.ts';
import { readFilters } from '../analytics/filters.ts';
import { CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { knownPassword } from '../routes/manage-fields.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import { checkGuess } from '../sessions/guesses.ts';
import { PASSWORDS } from '../sessions/sign-in-delays.ts';
import { type Narrowing, narrowed, narrowing, questionOf, ShareView } from './share-view.ts';

/** The most rows of a card, and of its file. */
const MOST_ROWS = 50;
const MOST_LINES = 1_000;
/** A right password opens the share for half a day. */
const PASS_MS = 12 * 3_600_000;

const ERRORS = ['SHARE_NOT_FOUND', 'SHARE_LOCKED'] as const;

const shownApp = z.object({
  name: z.string(),
  color: z.string().nullable(),
  logo: z.string().nullable().describe('The SHA-256 of the logo, which is at `/logos/<SHA-256>.png`.'),
});

const appOf = ({ name, branding: { color, logo } }: App): z.input<typeof shownApp> => ({ name, color, logo });

export const getShareLock = manageRoute('GET /api/share/lock', {
  summary: 'Say whether a share asks for a password, and of which app it is',
  needs: 'guest',
  limit: 'share',
  reply: z.object({
    locked: z.boolean().describe('True: without the pass of its password, its other routes answer `SHARE_LOCKED`.'),
    app: shownApp,
  }),
  errors: ['SHARE_NOT_FOUND'],
  async handle({ caller, setHeader }, parts) {
    setHeader('X-Robots-Tag', 'noindex, nofollow');
    const { share, app } = await found(caller, parts);
    return { locked: share.lock !== null && !isPass(caller, parts), app: appOf(app) };
  },
});

export const getShare = manageRoute('GET /api/share', {
  summary: 'Say what a share shows: its name, its app, its days, filters and cards',
  needs: 'guest',
  limit: 'share',
  reply: z.object({
    share: z.object({
      name: z.string(),
      app: shownApp.extend({ timeZone: z.string() }),
      expiresAt: z.iso.datetime().nullable(),
      narrow: z.boolean().describe('True: `from`, `to` and `filter` of its figures may be given.'),
      csv: z.boolean(),
      view: ShareView.omit({ filter: true }),
      days: z.object({ from: z.string(), to: z.string().nullable() }).describe('Null: up to the present.'),
      filters: z.array(
        z.object({
          dimension: z.string(),
          value: z.string().nullable(),
          name: z.string().nullable().describe('Of a link: its slug, or its name if the share has names.'),
        }),
      ),
    }),
  }),
  errors: ERRORS,
  async handle(call, parts) {
    const { share, app } = await enter(call, parts);
    const { filter, ...view } = share.view;
    const { from, to = null } = questionOf(share.view, app.timeZone, parts.now());
    const { narrow, csv } = share.options;
    const named = readFilters(filter).map((one) => ({ ...one, name: null }));
    const links = await withNames(
      named.filter(({ dimension }) => dimension === 'link'),
      call.caller,
      parts,
    );
    const filters = [...named.filter(({ dimension }) => dimension !== 'link'), ...links];
    const { name, expiresAt } = share;
    const shown = { ...appOf(app), timeZone: app.timeZone };
    return { share: { name, app: shown, expiresAt, narrow, csv, view, days: { from, to }, filters } };
  },
});

export const unlockShare = manageRoute('POST /api/share/unlock', {
  summary: 'Open a share that has a password; the pass goes after the secret: `Authorization: Share <secret> <pass>`',
  needs: 'guest',
  limit: 'sign-in',
  body: z.object({ password: knownPassword() }),
  reply: z.object({ pass: z.string(), endsAt: z.iso.datetime() }),
  errors: ['SHARE_NOT_FOUND', 'WRONG_CREDENTIALS', 'SIGN_IN_DELAYED', 'SIGN_IN_BUSY'],
  async handle(call, parts) {
    const { share } = await found(call.caller, parts);
    const { password } = call.body;
    // It is the same for all viewers: whoever has the address could guess from many places.
    const of = { emailHash: sha256(`password of the share ${share.id}`), place: null };
    const now = parts.now();
    await parts.signIns.run(null, call, async () => {
      const stored = await parts.account.shares.passwordOf(share.id);
      const isRight = () => parts.passwords.verify(password, stored);
      await checkGuess({ of, isRight, wrong: 'WRONG_CREDENTIALS', now, pace: PASSWORDS }, parts);
    });
    const endsAt = new Date(now.getTime() + PASS_MS).toISOString();
    const pass: Pass = { share: share.id, lock: share.lock, endsAt };
    return { pass: parts.sealer.seal('pass of a share', JSON.stringify(pass)), endsAt };
  },
});

export const getSharedFigures = manageRoute('GET /api/share/figures', {
  summary: 'Count the totals and the chart of a share',
  needs: 'guest',
  limit: 'share',
  query: z.object(narrowing),
  reply: z.object({
    figures: z.array(
      z.object({
        metric: z.string(),
        figures: figures.nullable().describe('Null: this figure does not have the dimension of a filter.'),
      }),
    ),
  }),
  errors: [...ERRORS, ...REFUSALS],
  handle: (call, parts) =>
    answered('figures', call, parts, async ({ appId, caller, question, view }) => {
      const metrics = [...new Set([...view.figures, view.metric])];
      const asked = metrics.map(async (metric) => {
        const wanted = { ...question, metric, limit: 1, compare: view.compare ?? undefined };
        return { metric, figures: await countOf(appId, wanted, caller, parts).catch(nullIfUnknown) };
      });
      return { figures: await Promise.all(asked) };
    }),
});

const nullIfUnknown = (error: unknown): null => {
  if (error instanceof ApiError && error.code === 'DIMENSION_UNKNOWN') return null;
  throw error;
};

export const getSharedCards = manageRoute('GET /api/share/cards', {
  summary: 'Count what the cards of a share show',
  needs: 'guest',
  limit: 'share',
  query: z.object(narrowing),
  reply: QueryBreakdowns.reply,
  errors: [...ERRORS, ...REFUSALS],
  handle: (call, parts) =>
    answered('cards', call, parts, ({ appId, caller, question: { interval: _, ...question }, view }) => {
      if (view.cards.length === 0) throw new ApiError('INVALID_REQUEST', [{ path: 'view', message: 'has no cards' }]);
      const asked = { metric: view.cardMetrics, dimension: view.cards, limit: MOST_ROWS };
      return cardsOf(appId, { ...question, ...asked, compare: view.compare ?? undefined }, caller, parts);
    }),
});

export const exportSharedCard = manageRoute('GET /api/share/cards/export', {
  summary: 'Download a card of a share as CSV, if the share allows it',
  needs: 'guest',
  limit: 'share',
  query: z.object({ ...narrowing, dimension: z.string().max(60).describe('The dimension of the card.') }),
  downloads: [CSV],
  reply: z.instanceof(Reply),
  errors: [...ERRORS, ...REFUSALS],
  async handle(call, parts) {
    const { dimension: given } = call.query;
    const found = await answered(`csv ${given}`, call, parts, ({ appId, caller, question, view, options }) => {
      if (!options.csv) throw new ApiError('FORBIDDEN');
      const dimension = view.cards.find((one) => one === given);
      if (dimension === undefined)
        throw new ApiError('INVALID_REQUEST', [{ path: 'dimension', message: 'must be a card of this share' }]);
      const { interval: _, ...rest } = question;
      const asked = { metric: view.cardMetrics, dimension: [dimension], limit: MOST_LINES };
      return cardsOf(appId, { ...rest, ...asked, compare: view.compare ?? undefined }, caller, parts);
    });
    return csvFile(given.replace(':', '-'), breakdownAsCsv(found));
  },
});

export const getSharedFunnel = manageRoute('GET /api/share/funnel', {
  summary: 'Follow the clicks of a share to the devices that they led to',
  needs: 'guest',
  limit: 'share',
  query: z.object(narrowing),
  reply: QueryFunnel.reply,
  errors: [...ERRORS, ...REFUSALS],
  handle: (call, parts) =>
    answered('funnel', call, parts, ({ appId, caller, question: { interval: _, ...question }, view }) => {
      if (!view.funnel) throw new ApiError('INVALID_REQUEST', [{ path: 'view', message: 'has no funnel' }]);
      return funnelOf(appId, { ...question, limit: 1 }, caller, parts);
    }),
});

interface Pass {
  share: string;
  lock: string | null;
  endsAt: string;
}

type GuestCall<Q> = Pick<ManageCall<'guest', undefined, Q, undefined>, 'caller' | 'query' | 'setHeader'>;

/** Returns the share and its app. Throws the same 404 for whatever there is not. */
async function found({ share }: Guest, { lookups }: ConsoleParts) {
  const app = await lookups.app(share.appId);
  const team = app?.teamId ? await lookups.team(app.teamId) : null;
  if (!app || app.archivedAt !== null || team?.sharing === 'off') throw new ApiError('SHARE_NOT_FOUND');
  return { share, app };
}

/** The same, for a viewer who has the password, if it has one. Counts the question for the share. */
async function enter({ caller, setHeader }: Pick<GuestCall<unknown>, 'caller' | 'setHeader'>, parts: ConsoleParts) {
  setHeader('X-Robots-Tag', 'noindex, nofollow');
  const { share, app } = await found(caller, parts);
  if (share.lock !== null && !isPass(caller, parts)) throw new ApiError('SHARE_LOCKED');
  const used = await parts.limits.use('share-in-all', share.id);
  if (!used.allowed) throw rateLimited(used);
  return { share, app };
}

function isPass({ share, pass }: Guest, { sealer, now }: ConsoleParts): boolean {
  if (pass === null) return false;
  try {
    const { share: of, lock, endsAt } = JSON.parse(sealer.open('pass of a share', pass)) as Pass;
    return of === share.id && lock === share.lock && Date.parse(endsAt) > now().getTime();
  } catch {
    return false;
  }
}

interface Shown {
  appId: string;
  caller: Guest;
  question: ReturnType<typeof narrowed>;
  view: ShareView;
  options: Guest['share']['options'];
}

/** Answers a viewer's question from the answers of the last minute, or asks. */
async function answered<A>(
  card: string,
  call: GuestCall<Narrowing>,
  parts: ConsoleParts,
  ask: (shown: Shown) => Promise<A>,
): Promise<A> {
  const { share, app } = await enter(call, parts);
  const { id, appId, view, options, version } = share;
  const { from, to, filter } = call.query;
  const question = narrowed(view, options, { from, to, filter }, { timeZone: app.timeZone, now: parts.now() });
  const key = JSON.stringify([id, version, card, question]);
  return parts.answers.get(key, async () => ask({ appId, caller: call.caller, question, view, options }));
}
