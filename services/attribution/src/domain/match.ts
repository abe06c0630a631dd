// Decides which of the open pending links a device gets, with pure functions. There are four tiers, the surest first. The
// first tier that takes anything wins. Another person's link is worse than none, so unclear cases get nothing.
import type { Match, MatchType } from '@landfall/contracts';
import {
  type Ask,
  type CandidateVerdict,
  hasHeartbeat,
  hasSeveralPhones,
  isFreshToken,
  isOpen,
  isWithin,
  newestFirst,
  type PendingLink,
  refused,
  type Sighting,
  taken,
  whyGone,
} from './candidate.ts';
import { heard } from './device.ts';
import { whyGuessedBefore } from './rules/given-before.ts';
import { byAddress, crowdAt } from './rules/match-by-address.ts';
import { counted, days } from './time.ts';

/** The reason for a link whose tap the clipboard named. */
export const BY_CLIPBOARD = 'the clipboard names this tap';

/** The most links that one restore returns. */
export const MAX_LINKS = 20;

export interface Decision {
  /** The tier that gave a link. Null when no tier did. */
  readonly matchType: MatchType | null;
  /** All pending links that the caller claims, newest first. Several may be taps on one link. */
  readonly taken: readonly PendingLink[];
  /** The answer: distinct links, newest last. */
  readonly matches: Match[];
  readonly verdicts: readonly CandidateVerdict[];
  /** Why the candidates at the address were not read. Null when they were read, or when it did not matter. */
  readonly unseen: string | null;
}

type Tier = (ask: Ask, rows: readonly PendingLink[], sighting: Sighting) => CandidateVerdict[];

export function decide(ask: Ask, candidates: readonly PendingLink[], sighting: Sighting): Decision {
  const rows = candidates.filter((row) => row.appId === ask.appId).sort(newestFirst);
  const tiers: Tier[] = [byToken, byEmail, byFingerprint, byAddress];
  const verdicts: CandidateVerdict[] = [];
  for (const tier of tiers) {
    verdicts.push(...tier(ask, rows, sighting));
    if (verdicts.some((verdict) => verdict.taken)) break;
  }
  const given = verdicts.filter((verdict) => verdict.taken);
  const matchType = given[0]?.matchType ?? null;
  const taken = given.map((verdict) => verdict.row);
  const unseen = matchType === null && sighting.crowd ? crowdAt(ask.matching.crowdTaps) : null;
  return { matchType, taken, matches: toMatches(ask, given), verdicts, unseen };
}

/**
 * Matches the tap that the token from the store's install referrer names. A token that is too old names nothing. The
 * token is signed, so no weaker tier takes the tap from it. It stays valid until a restore gives the tap by this token.
 */
function byToken(ask: Ask, rows: readonly PendingLink[], sighting: Sighting): CandidateVerdict[] {
  const { token, now } = ask;
  const row = isFreshToken(ask) && rows.find(({ id }) => id === token?.tapId);
  if (!row) return [];
  const { from } = token!;
  const refusal =
    (row.linkId !== token?.linkId ? 'the token names another link' : null) ??
    whyGone(row, now) ??
    (sighting.tokenSpent ? 'this token was used before' : null) ??
    whyGuessedBefore(row, ask, sighting);
  if (refusal !== null) return [refused(row, 'token', refusal)];
  return [
    taken(row, 'token', from === 'clipboard' ? BY_CLIPBOARD : 'the install referrer of Google Play names this tap'),
  ];
}

function byEmail({ email, now, matching }: Ask, rows: readonly PendingLink[]): CandidateVerdict[] {
  const addressed = rows.filter(
    (row) => email !== null && row.email === email && isOpen(row, now) && isWithin(row, now, days(matching.emailDays)),
  );
  return takeAll('email', addressed, now);
}

function byFingerprint(ask: Ask, rows: readonly PendingLink[], { device }: Sighting): CandidateVerdict[] {
  const { email, fingerprint, now, matching } = ask;
  const addressed = rows.filter(
    (row) =>
      fingerprint !== null &&
      row.fingerprint === fingerprint &&
      isOpen(row, now) &&
      isWithin(row, now, days(matching.fingerprintDays)),
  );
  if (hasSeveralPhones(ask, device)) {
    return addressed.map((row) => refused(row, 'fingerprint', 'several phones look the same to Landfall'));
  }
  const forAnother = (row: PendingLink) => email !== null && row.email !== null && row.email !== email;
  const own = addressed.filter((row) => !forAnother(row));
  return [
    ...takeAll('fingerprint', own, now),
    ...addressed.filter(forAnother).map((row) => refused(row, 'fingerprint', 'stored for another email')),
  ];
}

/**
 * Returns true when a missing heartbeat of this start would change the decision. The heartbeat can show that several
 * phones share the fingerprint. It can also be the one that such a phone needs.
 */
export function awaitsHeartbeat(ask: Ask, candidates: readonly PendingLink[], sighting: Sighting): boolean {
  const { fingerprint, from, platform, now, matching } = ask;
  const { device } = sighting;
  if (ask.final || fingerprint === null || device === null) return false;
  if (hasHeartbeat(ask, sighting)) return false;
  const heartbeat = { id: '', at: now, from: from(), platform };
  const withHeartbeat = { ...sighting, device: heard(device, heartbeat, matching), lastHeartbeatAt: now };
  const idsOf = (decision: Decision) => decision.taken.map((row) => row.id).join();
  return idsOf(decide(ask, candidates, sighting)) !== idsOf(decide(ask, candidates, withHeartbeat));
}

/** Takes all rows that are taps on the newest `MAX_LINKS` links. The other rows wait for the next start. */
function takeAll(matchType: 'email' | 'fingerprint', rows: readonly PendingLink[], now: Date): CandidateVerdict[] {
  const links = new Set<string>();
  return rows.map((row) => {
    const gone = whyGone(row, now);
    if (gone !== null) return refused(row, matchType, gone);
    if (links.size === MAX_LINKS && !links.has(row.linkId)) {
      return refused(row, matchType, `kept for the next start: more than ${counted(MAX_LINKS, 'link')}`);
    }
    links.add(row.linkId);
    return taken(row, matchType, `the ${matchType} is equal`);
  });
}

/** Returns distinct links, each with its newest tap. The newest link is last. */
function toMatches({ now }: Ask, given: readonly CandidateVerdict[]): Match[] {
  const newest = new Map<string, CandidateVerdict>();
  for (const verdict of given) if (!newest.has(verdict.row.linkId)) newest.set(verdict.row.linkId, verdict);
  return [...newest.values()].reverse().map(({ row, matchType }) => ({
    pendingLinkId: row.id,
    linkId: row.linkId,
    originalUrl: row.originalUrl,
    sealedUrl: row.sealedUrl,
    matchType,
    matchedAt: now.toISOString(),
  }));
}
