// Finds earlier restores by claimant and device. A batch looks them up once for each of its restores.
import type { Considered, MatchType, ReplyOf, RestoreLinks } from '@landfall/contracts';
import type { Ask, Given, Sighting } from './candidate.ts';

/** A restore that had a candidate, as it is remembered. */
export interface Restore {
  readonly id: string;
  readonly appId: string;
  readonly claimant: string | null;
  readonly device: string | null;
  readonly address: string | null;
  readonly at: Date;
  readonly matchType: MatchType | null;
  readonly pendingIds: readonly string[];
  readonly summary: string;
  readonly considered: readonly Considered[];
  readonly reply: ReplyOf<typeof RestoreLinks>;
  /** The restore whose answer this one gives again. */
  readonly repeats: string | null;
  readonly releasedAt: Date | null;
}

export interface Past {
  /** In the order in which it was given, also by what was given in this batch. */
  add(restore: Restore): void;
  /** The links that a claimant got. */
  byClaimant(claimant: string): readonly Restore[];
  /** The sighting with what was given to its device, and for the token that the ask brings. */
  complete(ask: Pick<Ask, 'appId' | 'token'>, sighting: Sighting): Sighting;
}

/** Only what was given for itself and is not released counts. */
const holds = ({ matchType, repeats, releasedAt }: Restore): boolean =>
  matchType !== null && repeats === null && releasedAt === null;

export function createPast(earlier: readonly Restore[]): Past {
  const claimants = new Map<string, Restore[]>();
  const devices = new Map<string, Given[]>();
  const spentTokens = new Set<string>();

  function add(restore: Restore): void {
    if (!holds(restore)) return;
    const { appId, claimant, device, matchType, pendingIds } = restore;
    if (claimant !== null) addTo(claimants, claimant, [restore]);
    if (device !== null) addTo(devices, `${appId} ${device}`, givenBy(restore));
    if (matchType === 'token') for (const tapId of pendingIds) spentTokens.add(`${appId} ${tapId}`);
  }

  for (const restore of earlier) add(restore);
  return {
    add,
    byClaimant: (claimant) => claimants.get(claimant) ?? [],
    complete: ({ appId, token }, sighting) => ({
      ...sighting,
      tokenSpent: token !== null && spentTokens.has(`${appId} ${token.tapId}`),
      given: (sighting.device && devices.get(`${appId} ${sighting.device.device}`)) ?? [],
    }),
  };
}

const givenBy = ({ at, matchType, address, reply }: Restore): Given[] =>
  reply.matches.map(({ linkId }) => ({ linkId, at, matchType: matchType!, address }));

function addTo<T>(map: Map<string, T[]>, key: string, values: readonly T[]): void {
  const known = map.get(key);
  if (known) known.push(...values);
  else map.set(key, [...values]);
}
