// Finds earlier restores by claimant and device. A batch reads them once for all of its restores.
import type { Considered, DecisionCode, MatchType, ReplyOf, RestoreLinks } from '@landfall/contracts';
import type { Ask, Given, Sighting } from './candidate.ts';

/** A restore is lost later, when it is released. */
export type StoredCode = Exclude<DecisionCode, 'lost'>;

/** A stored restore: it had a candidate, or it was the first one of an install. */
export interface Restore {
  readonly id: string;
  readonly appId: string;
  readonly claimant: string | null;
  readonly device: string | null;
  readonly address: string | null;
  readonly at: Date;
  readonly matchType: MatchType | null;
  /** Null in rows of older versions. */
  readonly code: StoredCode | null;
  readonly pendingIds: readonly string[];
  readonly summary: string;
  readonly considered: readonly Considered[];
  readonly reply: ReplyOf<typeof RestoreLinks>;
  /** The id of the restore whose answer this restore repeats. */
  readonly repeats: string | null;
  readonly releasedAt: Date | null;
}

/** The number of latest restores that count for each claimant and for each device. */
export const MOST_GIVEN = 20;

/** Only a restore that gave links itself, and was not released, counts. */
const holds = ({ matchType, repeats, releasedAt }: Restore): boolean =>
  matchType !== null && repeats === null && releasedAt === null;

export function createPast(earlier: readonly Restore[]) {
  const claimants = new Map<string, Restore[]>();
  const devices = new Map<string, Given[]>();
  const spentTokens = new Set<string>();
  const known = new Set<string>();

  /** Adds a restore, in the order in which the links were given. Restores of the current batch are added too. */
  function add(restore: Restore): void {
    // A restore may be found for its claimant and for its device.
    if (!holds(restore) || known.has(restore.id)) return;
    known.add(restore.id);
    const { appId, claimant, device, matchType, pendingIds } = restore;
    if (claimant !== null) addTo(claimants, claimant, restore);
    if (device !== null) addTo(devices, `${appId} ${device}`, ...givenBy(restore));
    if (matchType === 'token') for (const tapId of pendingIds) spentTokens.add(`${appId} ${tapId}`);
  }

  for (const restore of earlier) add(restore);
  return {
    add,
    byClaimant: (claimant: string): readonly Restore[] => claimants.get(claimant) ?? [],
    /** Returns the sighting with the links that its device got, and whether the token of the request was used. */
    complete: ({ appId, token }: Pick<Ask, 'appId' | 'token'>, sighting: Sighting): Sighting => ({
      ...sighting,
      tokenSpent: token !== null && spentTokens.has(`${appId} ${token.tapId}`),
      given: (sighting.device && devices.get(`${appId} ${sighting.device.device}`)) ?? [],
    }),
  };
}

const givenBy = ({ at, matchType, address, reply }: Restore): Given[] =>
  reply.matches.map(({ linkId }) => ({ linkId, at, matchType: matchType!, address }));

export function addTo<T>(map: Map<string, T[]>, key: string, ...values: T[]): void {
  const known = map.get(key);
  if (known) known.push(...values);
  else map.set(key, values);
}
