// The pending links that a batch of restores may give away. What one message takes is gone for those after it.
import { type Ask, isAddressed, type PendingLink } from './candidate.ts';
import type { Decision } from './match.ts';

/** A row that a message closes: claimed by a restore, or opened by an installed app. */
export interface Closing {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  /** Also where something else has closed it before: a tap belongs to whoever has its token. */
  readonly takesOver: boolean;
}

export interface Pool {
  /** The rows that the ask names by any of its keys. */
  candidates(ask: Ask): PendingLink[];
  /** Closes what the ask takes by that tier, and with it the open taps on the same link from the same address and user agent. */
  close(decision: Pick<Decision, 'taken' | 'matchType'>, ask: Ask): Closing[];
}

export function createPool(rows: readonly PendingLink[]): Pool {
  const byKey = Map.groupBy(
    rows.flatMap((row) =>
      keysOf(row.appId, row.id, row.email, row.fingerprint, row.address).map((key) => ({ key, row })),
    ),
    ({ key }) => key,
  );
  const named = (keys: readonly string[]) => keys.flatMap((key) => byKey.get(key)?.map(({ row }) => row) ?? []);

  return {
    candidates: ({ appId, token, email, fingerprint, address }) => [
      ...new Set(named(keysOf(appId, token?.tapId ?? null, email, fingerprint, address))),
    ],
    close({ taken, matchType }, { id: by, now: at }) {
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

  function siblingsOf({ appId, address, linkId, userAgent }: PendingLink): PendingLink[] {
    return named(keysOf(appId, address)).filter(
      (row) =>
        row.closedBy === null &&
        !isAddressed(row) &&
        row.linkId === linkId &&
        row.userAgent === userAgent &&
        userAgent !== null,
    );
  }
}

const keysOf = (appId: string, ...keys: readonly (string | null)[]): string[] =>
  keys.filter((key) => key !== null).map((key) => `${appId} ${key}`);
