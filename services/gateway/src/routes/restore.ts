import { setTimeout as delay } from 'node:timers/promises';
import { Busy, NoAnswer } from '@landfall/bus';
import { type App, type InputOf, type Match, newId, RestoreLinks, type SentEvidence, text } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { clientIn } from '../access/client-calls.ts';
import { userEmail } from '../access/identity.ts';
import { isLive } from '../links/link.ts';
import { linkData, linkUrl, pathOf } from '../links/link-view.ts';
import { clipTokenOf, tapTokenOf } from '../links/tap-tokens.ts';
import { asker, clientFacts, clientHeaders } from '../phone/asker.ts';
import { clipboardField, phoneFields, phoneOf } from '../phone/phone-fields.ts';
import { route, type Uses } from '../routing/route.ts';
import { deviceFingerprint, identityToken, installedSecondsAgo, restoredLink, tolerated } from './fields.ts';

/** Milliseconds. The public SDK sends its heartbeat just before the restore and does not wait for it. */
const HEARTBEAT_DELAY_MS = 400;
const ASK_TIMEOUT_MS = 8_000;
/** The total time and the interval for which a restore waits for taps that are still being stored, in milliseconds. */
const CATCH_UP_MS = 2_000;
const CATCH_UP_STEP_MS = 400;
/**
 * The time since its start for which a restore looks up its links again, in milliseconds. The last look-up takes two
 * seconds at most. So the answer comes before the time-out of the client, which is 15 s.
 */
const LOOK_UP_MS = 10_000;
/** The time after a tap for which a token on the clipboard is valid, in milliseconds. */
const CLIPBOARD_MS = 10 * 60_000;
/** The public client's fingerprint of an Android phone is that of `fingerprintsIn`. Other clients have their own. */
const PUBLIC_CLIENT = /^openlynk-flutter-sdk\//;
const SHA_256 = /^[0-9a-f]{64}$/;

type Giving = Uses<'bus' | 'lookups' | 'sealer' | 'config' | 'log' | 'restoreReleases' | 'now'>;

/** The fields of which a restore needs one. */
const NAMES = ['userEmail', 'identityToken', 'deviceFingerprint', 'installReferrer'] as const;

export const restore = route('POST /api/deferred-deep-linking/restore', {
  summary: 'Restore the links that were tapped before the install',
  spec: '4.4',
  auth: 'key',
  limit: 'restore',
  headers: clientHeaders,
  body: z
    .object({
      userEmail: userEmail().optional(),
      identityToken: identityToken().optional(),
      deviceFingerprint: deviceFingerprint().optional(),
      installReferrer: text(2048).optional().describe('The whole install referrer from Google Play.'),
      clipboard: clipboardField(),
      ...phoneFields,
      installedSecondsAgo: installedSecondsAgo(),
      ...tolerated,
    })
    .refine((body) => NAMES.some((name) => body[name] !== undefined), {
      path: ['deviceFingerprint'],
      error: 'or userEmail is required',
    })
    .meta({
      anyOf: NAMES.map((name) => ({ required: [name], properties: { [name]: { type: 'string', minLength: 1 } } })),
    }),
  reply: z.object({ restoredLinks: z.array(restoredLink), count: z.int(), message: z.string() }),
  errors: ['CATCHING_UP', 'IDENTITY_TOKEN_INVALID'],
  async handle(call, parts: Giving & Uses<'clientCalls' | 'hashes' | 'identities' | 'restored'>) {
    const { body, key } = call;
    const userEmail = await parts.identities.userOf(body, key);
    const appId = key.app.id;
    const from = asker(call, parts, { ...body, userEmail });
    const { platform, fingerprint: device } = from;
    const sent = evidenceIn(body);
    const question = {
      appId,
      token: tokenOf(body, appId, parts),
      ...from,
      ...phoneOf(body, { platform, device, appId, now: parts.now() }, parts.hashes),
      ...clientFacts(call),
      build: buildOf(body, call.userAgent, parts),
      installedSecondsAgo: body.installedSecondsAgo ?? null,
      appCreatedAt: key.app.createdAt,
      matching: key.app.matching,
      caller: {
        keyId: key.keyId,
        client: clientIn(call),
        sent: namesIn(sent),
        requestId: call.requestId,
      },
    };
    const restoredLinks = await give(question, key.app, parts);
    const count = restoredLinks.length;
    const matchType = restoredLinks[0]?.matchType ?? null;
    parts.restored(matchType ?? 'none');
    parts.clientCalls.called(call, platform, 'restore', { sent, found: count, matchType });
    return { restoredLinks, count, message: `Restored ${count} pending links` };
  },
});

/** Returns which evidence came, without its values. */
const evidenceIn = (
  body: { [field in Exclude<keyof SentEvidence, 'user'> | 'userEmail' | 'identityToken']?: unknown },
) => ({
  installedSecondsAgo: body.installedSecondsAgo !== undefined,
  installReferrer: body.installReferrer !== undefined,
  clipboard: body.clipboard !== undefined,
  model: body.model !== undefined,
  osVersion: body.osVersion !== undefined,
  language: body.language !== undefined,
  addressToken: body.addressToken !== undefined,
  user: body.userEmail !== undefined || body.identityToken !== undefined,
});

const namesIn = (sent: SentEvidence): string[] => Object.entries(sent).flatMap(([name, came]) => (came ? [name] : []));

/** Returns the fingerprint, when it is one that names the model and the build of an Android phone. */
const buildOf = (
  { deviceFingerprint = '' }: { deviceFingerprint?: string | undefined },
  userAgent: string,
  { hashes }: Uses<'hashes'>,
) => (SHA_256.test(deviceFingerprint) && PUBLIC_CLIENT.test(userAgent) ? hashes.build(deviceFingerprint) : null);

/** Returns the tap that the install referrer names, else the one that the clipboard names. */
function tokenOf(
  { installReferrer, clipboard }: { installReferrer?: string | undefined; clipboard?: string | undefined },
  appId: string,
  { hashes, now }: Uses<'hashes' | 'now'>,
) {
  const referred = installReferrer === undefined ? null : tapTokenOf(installReferrer);
  const tap = referred === null ? null : hashes.readTap(appId, referred);
  if (tap !== null) return tap;
  const copied = clipboard === undefined ? null : clipTokenOf(clipboard);
  const copiedTap = copied === null ? null : hashes.readTap(appId, copied, 'clipboard');
  if (copiedTap === null || now().getTime() - Date.parse(copiedTap.tappedAt) >= CLIPBOARD_MS) return null;
  return { ...copiedTap, from: 'clipboard' as const };
}

type Question = Omit<InputOf<typeof RestoreLinks>, 'final'>;
interface Found {
  restoreId: string;
  matches: Match[];
}

/** Asks attribution. Asks again when a heartbeat of the same start may still decide. */
async function match(question: Question, parts: Uses<'bus' | 'restoreReleases'>, again: boolean): Promise<Found> {
  for (const final of again ? [true] : [false, true]) {
    const { restoreId, reply } = await askOnceCaughtUp({ ...question, final }, parts);
    if (!reply.awaitHeartbeat) return { restoreId, matches: reply.matches };
    await delay(HEARTBEAT_DELAY_MS);
  }
  throw new Error('attribution asked for a heartbeat after the final question');
}

/** Waits here while taps are being stored: a wait inside attribution would block the batch behind it. */
async function askOnceCaughtUp(
  question: InputOf<typeof RestoreLinks>,
  { bus, restoreReleases }: Uses<'bus' | 'restoreReleases'>,
) {
  const until = performance.now() + CATCH_UP_MS;
  for (;;) {
    const restoreId = newId();
    const answer = await bus
      .ask(RestoreLinks, question, { id: restoreId, timeoutMs: ASK_TIMEOUT_MS })
      .catch((error: unknown) => {
        // Unless it was never sent, the restore may have been decided, and its answer is lost together with its links.
        if (!(error instanceof Busy)) restoreReleases.lost(restoreId);
        throw error;
      });
    if (answer.ok || performance.now() >= until) return { restoreId, reply: orRefuse(answer) };
    await delay(CATCH_UP_STEP_MS);
  }
}

/**
 * Returns the links in their current state, so that edits count. Attribution skips archived and expired links, as far
 * as it knows of them. If it did not know, the restore is released and requested once more. So the recorded and sent
 * result equals the links that the app gets.
 */
async function give(question: Question, app: App, parts: Giving) {
  const until = performance.now() + LOOK_UP_MS;
  for (const again of [false, true]) {
    const { restoreId, matches } = await match(question, parts, again);
    const found = await withLinks(matches, { restoreId, app, until }, parts);
    const gone = found.map(({ link }) => link).filter((link) => !isLive(link, parts.now()));
    if (gone.length === 0) {
      return found.map(({ link, match }) =>
        view(match, tappedUrl(match, parts) ?? linkUrl(app, link, parts.config), link.destination, linkData(link)),
      );
    }
    await parts.restoreReleases.gone(
      restoreId,
      gone.map(({ id: linkId, version, archivedAt, expiresAt }) => ({ linkId, version, archivedAt, expiresAt })),
    );
    // Our own copy may be outdated.
    for (const link of gone) parts.lookups.forgetLink(link);
  }
  return [];
}

async function withLinks(
  matches: readonly Match[],
  { restoreId, app, until }: { restoreId: string; app: App; until: number },
  parts: Uses<'lookups' | 'restoreReleases'>,
) {
  try {
    const links = await Promise.all(matches.map(({ linkId }) => findLink(linkId, until, parts)));
    return links.flatMap((link, i) => (link?.appId === app.id ? [{ link, match: matches[i]! }] : []));
  } catch (error) {
    // The claimed links could not be given. The next start of the app must find them.
    parts.restoreReleases.lost(restoreId);
    throw error;
  }
}

/**
 * Looks a link up, and again when no answer comes. The link is claimed already. A moment more, while link workers are
 * replaced, costs the user less than a first start without the link.
 */
async function findLink(linkId: string, until: number, { lookups }: Uses<'lookups'>) {
  for (;;) {
    try {
      return await lookups.link(linkId);
    } catch (error) {
      if (!(error instanceof NoAnswer) || performance.now() >= until) throw error;
    }
  }
}

/** A URL that is sealed under another secret is returned without the part for the restore alone. */
function tappedUrl(
  { pendingLinkId, originalUrl, sealedUrl }: Match,
  { sealer, log }: Uses<'sealer' | 'log'>,
): string | null {
  if (sealedUrl === null) return originalUrl;
  try {
    return sealer.open('tapped url', sealedUrl);
  } catch {
    log.warn(
      { pendingLinkId },
      'a tapped URL cannot be opened and is returned without its whole query: is SEAL_SECRET the same everywhere?',
    );
    return originalUrl;
  }
}

const view = (found: Match, url: string, destination: string, data: ReturnType<typeof linkData>) => ({
  pendingLinkId: found.pendingLinkId,
  pending_link_id: found.pendingLinkId,
  originalUrl: url,
  original_url: url,
  destination_url: destination,
  destination,
  destination_path: pathOf(destination),
  ...data,
  linkId: found.linkId,
  link_id: found.linkId,
  matchType: found.matchType,
  matchedAt: found.matchedAt,
});
