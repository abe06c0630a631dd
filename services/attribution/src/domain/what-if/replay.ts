// Makes decisions again, in the order of time, with other settings. The rule is the product's own: `restoreInOrder`. A
// link that the replay gives is gone for later decisions, and a link that it does not give is open for them.
import type { MatchingSettings, MatchType } from '@landfall/contracts';
import type { PendingLink, Sighting } from '../candidate.ts';
import { decide } from '../match.ts';
import { addTo, createPast, MOST_GIVEN, type Restore } from '../past.ts';
import { createPool, isSibling } from '../pool.ts';
import { REPLAY_SECONDS, restoreInOrder } from '../restore.ts';
import { longestWindow } from '../rules/evidence.ts';
import { UNTAPPED } from '../summary.ts';
import { before, minutes, seconds, since } from '../time.ts';
import { type Facts, shortId, spanOf } from './facts.ts';
import { type Rebuilt, type RebuiltTap, rebuild, type StoredDecision } from './rebuild.ts';
import { whyTooOld } from './too-old.ts';

/** The result of a decision with the settings of the replay. */
export interface Replayed {
  readonly matchType: MatchType | null;
  readonly linkIds: readonly string[];
  readonly summary: string;
  /** True when the answer only repeats that of another decision, a few seconds before. */
  readonly repeats: boolean;
  /**
   * `replayed`: made again. `same`: no setting of this kind can change it. `noFacts` and `outOfReach`: it stays as it was,
   * because nothing is remembered of it, or not far enough back.
   */
  readonly state: 'replayed' | 'same' | 'noFacts' | 'outOfReach';
  /** The result of matching by address alone, where a token or an email says whose the link is. */
  readonly truth: 'right' | 'wrong' | 'missed' | null;
}

/** A restore of the replay that gave links, until it is released. */
interface Given {
  readonly restore: Restore;
  readonly until: Date | null;
}

export function createReplay(matching: MatchingSettings) {
  /** The decisions with another result than before, by their short ids. */
  const changed = new Set<string>();
  /** The taps that a decision of the replay closes and did not close then, by their short ids. */
  const closings = new Map<string, { until: Date | null }[]>();
  /** The taps that the same decision closes then and now. Another decision may have closed them once more. */
  const closedAgain = new Map<string, { until: Date | null }[]>();
  /** The taps that a decision closed then, and does not close in the replay: the short ids of the decision and the tap. */
  const spared = new Set<string>();
  const byClaimant = new Map<string, Given[]>();
  const byDevice = new Map<string, Given[]>();

  return {
    /** Makes a decision again. Call it for each decision, the oldest first. */
    next(stored: StoredDecision): Replayed {
      const { facts, matchType } = stored;
      if (facts === null) return keep(stored, 'noFacts', null);
      if (facts.never) return keep(stored, 'same', truthOf(stored, null));
      const rebuilt = withoutSpentToken(rebuild(stored, facts, matching), facts);
      const { rows, crowd, isKnown } = around(stored, rebuilt, facts);
      const earlier = earlierOf(stored);
      const sighting = { ...rebuilt.sighting, crowd };
      const truth = isKnown ? truthOf(stored, () => byAddressAlone(rebuilt, rows, sighting, earlier)) : null;
      // An email or a fingerprint decides the same whatever the settings of addresses are.
      if (matchType === 'email' || matchType === 'fingerprint') return keep(stored, 'same', truth);
      if (!isKnown) return keep(stored, 'outOfReach', null);

      const { claimant } = stored;
      const ask = { ...rebuilt.ask, claimant, sighting, expired: () => facts.g === 1 };
      const decided = restoreInOrder([ask], createPool(rows), earlier);
      const [restore] = decided.restores;
      remember(stored, restore, new Set(decided.closings.map(({ id }) => id)), rebuilt.taps);
      const result = resultOf(restore);
      const tooOld = result.summary === UNTAPPED ? whyTooOld(stored, rebuilt, sighting) : null;
      return { ...result, summary: tooOld ?? result.summary, state: 'replayed', truth };
    },
  };

  /** Takes away a token that was used before. A use that the replay does not make leaves it valid. */
  function withoutSpentToken(rebuilt: Rebuilt, { k, q }: Facts): Rebuilt {
    if (k === undefined || q === undefined) return rebuilt;
    const { closer } = rebuilt.taps[k]!;
    if (closer !== null && changed.has(closer)) return rebuilt;
    return { ...rebuilt, ask: { ...rebuilt.ask, token: null } };
  }

  /** Leaves a decision as it was. It may repeat the answer of another decision, which gives something else now. */
  function keep(stored: StoredDecision, state: Replayed['state'], truth: Replayed['truth']): Replayed {
    const { matchType, linkIds, summary, repeats } = stored;
    // Also a caller whose email has a link gets the answer of some seconds before again.
    const repeated = matchType === 'token' ? undefined : repeatOf(stored);
    const isRepeat = repeats !== null && (matchType === null || matchType === 'address');
    if (repeated !== undefined || isRepeat) return { ...resultOf(repeated), state, truth };
    hold(stored, asRestore(stored));
    return { matchType, linkIds, summary, repeats: repeats !== null, state, truth };
  }

  /** Returns the answer again that the claimant got in the last seconds of the replay. */
  function repeatOf(stored: StoredDecision): Restore | undefined {
    const { ask, sighting } = rebuild(stored, NO_TAPS, matching);
    const asked = { ...ask, claimant: stored.claimant, sighting, expired: () => false };
    return restoreInOrder([asked], createPool([]), earlierOf(stored)).restores[0];
  }

  /** Stores the effects of a decision of the replay on later ones. */
  function remember(
    stored: StoredDecision,
    restore: Restore | undefined,
    closed: ReadonlySet<string>,
    taps: readonly RebuiltTap[],
  ): void {
    const by = shortId(stored.id);
    const taken = new Set(restore && restore.repeats === null ? restore.pendingIds : []);
    const rowsTaken = taps.filter(({ row }) => taken.has(row.id));
    const takenNow = rowsTaken.map(({ id }) => id);
    const takenThen = stored.matchType !== null && stored.repeats === null ? stored.pendingIds : [];
    const isSame = takenThen.join() === takenNow.join();
    if (!isSame) changed.add(by);
    // Later facts already tell what the same decision closed, except for taps that it did not look at then, and for taps
    // at which it no longer looks.
    for (const { id, row, looked } of taps) {
      if (closed.has(row.id)) {
        addTo(isSame && looked ? closedAgain : closings, id, { until: stored.releasedAt });
      } else if (isSame && looked && rowsTaken.some((one) => isSibling(row, one.row))) spared.add(`${by} ${id}`);
    }
    if (restore) hold(stored, restore);
  }

  function hold({ releasedAt }: StoredDecision, restore: Restore): void {
    if (restore.matchType === null || restore.repeats !== null) return;
    const given = { restore, until: releasedAt };
    if (restore.claimant !== null) addTo(byClaimant, restore.claimant, given);
    if (restore.device !== null) addTo(byDevice, `${restore.appId} ${restore.device}`, given);
  }

  /** Returns the earlier restores that count for a decision, as the repository finds them. */
  function earlierOf({ appId, claimant, device, at }: StoredDecision): Restore[] {
    const held = (known: readonly Given[] | undefined, since: Date) =>
      (known ?? [])
        .slice(-MOST_GIVEN)
        .filter(({ restore, until }) => restore.at > since && restore.at <= at && holds({ until }, at))
        .map(({ restore }) => restore);
    const claimed = claimant === null ? undefined : byClaimant.get(claimant);
    const met = device === null ? undefined : byDevice.get(`${appId} ${device}`);
    return [
      ...held(claimed, before(at, seconds(REPLAY_SECONDS))),
      ...held(claimed, new Date(0)).filter(({ matchType }) => matchType === 'token'),
      ...held(met, new Date(0)),
    ];
  }

  /** Returns the rows that the decision would read, in their state of the replay. */
  function around({ at }: StoredDecision, { ask, taps }: Rebuilt, facts: Facts) {
    const window = minutes(longestWindow(ask));
    const now = taps.map(({ id, row, closer, countsAsOpen }) => {
      const isHeld = (by: typeof closings) => by.get(id)?.some((one) => holds(one, at)) ?? false;
      const isClosed = isHeld(closings);
      const isUndone = closer !== null && (changed.has(closer) || spared.has(`${closer} ${id}`));
      const isReopened = !isClosed && isUndone && !isHeld(closedAgain);
      const closedBy = isClosed ? 'the replay' : isReopened ? null : row.closedBy;
      const isCounted = !isClosed && (isReopened || countsAsOpen) && row.address !== null;
      return { row: { ...row, closedBy }, isCounted: isCounted && since(row.tappedAt, at) < window };
    });
    const here = Map.groupBy(
      now.filter(({ isCounted }) => isCounted).map(({ row }) => row),
      ({ address }) => address,
    );
    const uncrowded = [...here.values()].filter((rows) => rows.length <= ask.matching.crowdTaps);
    const isReached = window <= (facts.x ?? spanOf(ask));
    // Taps that are remembered are counted: an earlier decision of the replay may have taken one of them.
    const crowd = uncrowded.length < here.size || (!isReached && wasCrowd(facts, ask));
    // The taps at the address of the tap that a token names may be closed with it, also beyond the window and in a crowd.
    const named = now.find(({ row }) => row.id === ask.token?.tapId)?.row;
    const withNamed = named && now.map(({ row }) => row).filter((row) => row === named || isSibling(row, named));
    const rows = [...new Set([...uncrowded.flat(), ...(withNamed ?? [])])];
    return { rows, crowd, isKnown: crowd || isReached };
  }
}

/** Returns true when what a restore gave or closed was not released before. */
const holds = ({ until }: { until: Date | null }, at: Date) => until === null || until > at;

/** The facts of a device among no taps. */
const NO_TAPS: Facts = { n: 0 };

const resultOf = (restore: Restore | undefined) => ({
  matchType: restore?.matchType ?? null,
  linkIds: restore?.reply.matches.map(({ linkId }) => linkId) ?? [],
  summary: restore?.summary ?? UNTAPPED,
  repeats: (restore?.repeats ?? null) !== null,
});

/** Returns true when the taps are a crowd, because they were one by no stricter settings. */
function wasCrowd({ c }: Facts, ask: Rebuilt['ask']): boolean {
  if (c === undefined) return false;
  const [crowdTaps, window] = c;
  return ask.matching.crowdTaps <= crowdTaps && longestWindow(ask) >= window;
}

/**
 * Compares matching by address alone with the links of a token or an email.
 * @param alone null when no setting makes the device new
 */
function truthOf(stored: StoredDecision, alone: (() => string | undefined) | null): Replayed['truth'] {
  const { matchType, repeats, releasedAt, linkIds } = stored;
  if ((matchType !== 'token' && matchType !== 'email') || repeats !== null || releasedAt !== null) return null;
  const linkId = alone?.();
  if (linkId === undefined) return 'missed';
  return linkIds.includes(linkId) ? 'right' : 'wrong';
}

/** Returns the link that the device gets by address, as if it had no token. */
function byAddressAlone({ ask }: Rebuilt, rows: PendingLink[], sighting: Sighting, earlier: Restore[]) {
  const alone = { ...ask, token: null };
  return decide(alone, rows, createPast(earlier).complete(alone, sighting)).matches[0]?.linkId;
}

const asRestore = ({ linkIds, facts: _, ...stored }: StoredDecision): Restore => ({
  ...stored,
  considered: [],
  reply: {
    matches: linkIds.map((linkId) => ({
      linkId,
      pendingLinkId: '',
      originalUrl: null,
      sealedUrl: null,
      matchType: stored.matchType!,
      matchedAt: stored.at.toISOString(),
    })),
    awaitHeartbeat: false,
  },
  releasedAt: null,
});
