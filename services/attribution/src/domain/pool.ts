// The pending links that a batch of restores may give. A link that one message takes is not available to later
// messages.
import { type Ask, isAddressed, type PendingLink } from './candidate.ts';
import type { Decision } from './match.ts';
import { contradict } from './rules/evidence.ts';

/** A row that a message closes: a restore claimed it, or an installed app opened the link. */
export interface Closing {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  /** True when the row is closed even if another message closed it before: a tap belongs to the holder of its token. */
  readonly takesOver: boolean;
}

export type Pool = ReturnType<typeof createPool>;

/** Returns true when the person who made the tap also made the other one, on the same link at the same address. */
export const isSibling = (row: PendingLink, tap: PendingLink): boolean =>
  !isAddressed(row) &&
  tap.address !== null &&
  row.address === tap.address &&
  row.linkId === tap.linkId &&
  tap.userAgent !== null &&
  row.userAgent === tap.userAgent &&
  !contradict(row, tap);

export function createPool(rows: readonly PendingLink[]) {
  const byKey = Map.groupBy(
    rows.flatMap((row) =>
      keysOf(row.appId, row.id, row.email, row.fingerprint, row.address).map((key) => ({ key, row })),
    ),
    ({ key }) => key,
  );
  const named = (keys: readonly string[]) => keys.flatMap((key) => byKey.get(key)?.map(({ row }) => row) ?? []);

  return {
    /** Returns the rows that any key of the request names. */
    candidates: ({ appId, token, email, fingerprint, address, ipv6 }: Ask): PendingLink[] => [
      ...new Set(named(keysOf(appId, token?.tapId ?? null, email, fingerprint, address, ipv6))),
    ],
    /**
     * Closes the rows that the decision takes. Also closes the open taps on the same link from the same address and
     * user agent, unless another phone made them.
     */
    close({ taken, matchType }: Pick<Decision, 'taken' | 'matchType'>, { id: by, now: at }: Ask): Closing[] {
      const closed = new Set(taken.flatMap((row) => [row, ...siblingsOf(row)]));
      for (const row of closed) Object.assign(row, { closedBy: by, closedAt: at });
      return [...closed].map((row) => ({
        id: row.id,
        by,
        at,
        takesOver: matchType === 'token' && taken.includes(row),
      }));
    },
  };

  function siblingsOf(tap: PendingLink): PendingLink[] {
    return named(keysOf(tap.appId, tap.address)).filter((row) => row.closedBy === null && isSibling(row, tap));
  }
}

const keysOf = (appId: string, ...keys: readonly (string | null)[]): string[] =>
  keys.filter((key) => key !== null).map((key) => `${appId} ${key}`);
