// What happened to one link: its taps with what became of each, and the installs that it led to.
import {
  type App,
  FindPendingLinks,
  hash,
  LinkInstall,
  ListLinkInstalls,
  ListTaps,
  type ReplyOf,
  type Tap,
  Tap as TapFields,
} from '@landfall/contracts';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { next, pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

export type Found = ReplyOf<typeof FindPendingLinks>['pendingLinks'][number];

const restoreId = z.uuid().nullable();
const deviceId = hash()
  .nullable()
  .describe('The `device` of a restore. Its timeline is at `…/devices/{device}/timeline`.');

export const tapOutcome = z.object({
  state: z
    .enum(['pending', 'unclaimed', 'given', 'opened', 'expired', 'none', 'unknown'])
    .describe(
      '`pending`: the tap waits for the first start of the app. `unclaimed`: it counts no more by address, and only a token from the tap can still find it. `given`: a device got the link. `opened`: the installed app opened the link. `expired`: it waited too long. `none`: it never waited, or it waits no more for another reason. `unknown`: what became of it is not kept.',
    ),
  why: z.string().describe('The reason, as a sentence.'),
  restoreId: restoreId.describe('The restore that decided. Of a pending tap, the latest one that considered it.'),
  deviceId: deviceId.describe('The device that got the link, as the `device` of a restore.'),
});
type Outcome = z.output<typeof tapOutcome>;

export const listTaps = manageRoute('GET /api/manage/links/:linkId/taps', {
  summary: 'List the taps of a link, newest first; with what was answered and what became of each',
  needs: { role: 'viewer', of: 'link' },
  query: pageQuery,
  reply: z.object({ taps: z.array(TapFields.extend({ outcome: tapOutcome })), next: next() }),
  async handle({ params: { linkId }, query: { limit, cursor } }, parts) {
    const { app } = await parts.lookups.existingLink(linkId);
    const { taps, next } = await parts.forward(ListTaps, { appId: app.id, linkId, limit, cursor });
    const waiting = taps.filter(mayWait).map(({ tapId }) => tapId);
    const found = await pendingOf(app, linkId, waiting, parts);
    return {
      taps: taps.map((tap) => ({ ...tap, outcome: outcomeOf(tap, found.get(tap.tapId), app, parts.now()) })),
      next,
    };
  },
});

export const listLinkInstalls = manageRoute('GET /api/manage/links/:linkId/installs', {
  summary: 'List the installs that a link led to, newest first; with how each was found',
  needs: { role: 'viewer', of: 'link' },
  query: pageQuery,
  reply: z.object({
    installs: z.array(
      LinkInstall.omit({ tapId: true, matchType: true }).extend({
        tapId: z.uuid().nullable().describe('The tap that led to it.'),
        via: LinkInstall.shape.matchType.describe('What the tap and the device have in common.'),
        sure: z
          .boolean()
          .describe('True: by a token, an email or a fingerprint. False: by the address and what fits it.'),
        restoreId: restoreId.describe('The restore that gave the link. Null: it is not kept any more.'),
        deviceId,
      }),
    ),
    next: next(),
  }),
  async handle({ params: { linkId }, query: { limit, cursor } }, parts) {
    const { app } = await parts.lookups.existingLink(linkId);
    const { installs, next } = await parts.forward(ListLinkInstalls, { appId: app.id, linkId, limit, cursor });
    const taps = installs.flatMap(({ tapId }) => tapId ?? []);
    const found = await pendingOf(app, linkId, taps, parts);
    const rows = installs.map(({ matchType, ...install }) => {
      const tap = found.get(install.tapId ?? '');
      const given = tap?.state === 'given' ? tap : null;
      const sure = matchType !== null && matchType !== 'address';
      return { ...install, via: matchType, sure, restoreId: given?.restoreId ?? null, deviceId: given?.device ?? null };
    });
    return { installs: rows, next };
  },
});

export async function pendingOf({ id: appId }: App, linkId: string, ids: string[], { forward }: ConsoleParts) {
  if (ids.length === 0) return new Map<string, Found>();
  const { pendingLinks } = await forward(FindPendingLinks, { appId, linkId, ids: [...new Set(ids)] });
  return new Map(pendingLinks.map((one) => [one.id, one]));
}

const mayWait = ({ answered, platform }: Tap): boolean =>
  answered !== 'app' && (platform === 'ios' || platform === 'android');

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The outcome of a tap is kept for at least so many days. */
const KEPT_DAYS = 30;
const TOO_OLD = `It is older than the ${KEPT_DAYS} days for which this is kept.`;
/** A tap that waits is stored long before. */
const STORED_MS = 300_000;

const ended = (state: Outcome['state'], why: string): Outcome => ({ state, why, restoreId: null, deviceId: null });

export function outcomeOf(tap: Tap, found: Found | undefined, app: Pick<App, 'matching'>, now: Date): Outcome {
  if (tap.answered === 'app') return ended('opened', 'The installed app opened the link by itself.');
  if (!mayWait(tap)) return ended('none', 'The tap was not on a phone, so that no install follows it.');
  return outcomeOfWaiting(tap, found, app, now);
}

/** Returns what became of a tap that waited for an install. */
export function outcomeOfWaiting(
  tap: Pick<Tap, 'at'>,
  found: Found | undefined,
  { matching }: Pick<App, 'matching'>,
  now: Date,
): Outcome {
  // The token of a tap is the key that counts for the longest time.
  const days = Math.max(matching.tokenDays, 1);
  const age = now.getTime() - Date.parse(tap.at);
  const isOld = age >= days * DAY_MS;
  const expired = ended('expired', `No start of the app asked for it within ${days === 1 ? 'a day' : `${days} days`}.`);
  if (found === undefined)
    return age < STORED_MS
      ? ended('pending', 'It was made a moment ago.')
      : ended('unknown', age >= KEPT_DAYS * DAY_MS ? TOO_OLD : 'What became of it is not kept.');
  const { restoreId, device: deviceId, reason } = found;
  if (found.state === 'opened') return ended('opened', 'The installed app opened the link soon after the tap.');
  if (found.state === 'joined')
    return { ...ended('none', 'Another tap of the same browser on this link was given.'), restoreId };
  if (found.state === 'given') return { state: 'given', why: reason ?? 'A device got the link.', restoreId, deviceId };
  if (isOld) return { ...expired, restoreId };
  const window = addressMinutes(matching);
  if (window > 0 && age >= window * MINUTE_MS) {
    const why = `No start asked for it in the ${spanOf(window)} in which a tap counts by address.`;
    return {
      ...ended('unclaimed', `${reason ? `${reason}.` : why} Only a token from the tap can still find it.`),
      restoreId,
    };
  }
  return { state: 'pending', why: reason ?? 'No start of the app has asked for it so far.', restoreId, deviceId: null };
}

/** Returns the most minutes for which a tap of the app can count by address. 0: no tap ever does. */
function addressMinutes({ evidence, windowMinutes, modelWindowMinutes, ipv6WindowMinutes }: App['matching']): number {
  if (windowMinutes === 0 || evidence === 'exact') return 0;
  return Math.max(windowMinutes, modelWindowMinutes, ipv6WindowMinutes);
}

function spanOf(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return count === 1 ? unit : `${count} ${unit}s`;
}
