// Answers as the repositories of the product do, in memory and in the order of time. It has no lock and no retention
// besides that of contacts, because it handles one event after the other.
import { type Activity, type PendingLink, REPLAY_SECONDS, type Restore } from '@landfall/attribution/matching';
import { getOrMake } from '../get-or-make.ts';
import { HOUR, MINUTE, SECOND } from '../world/time.ts';
import { BEGIN } from './names.ts';

/** Minutes that an opening explains taps before it, as in the product's repository. */
const OPENED_WITHIN = 10 * MINUTE;
/** Taps by address are looked for within this time at most. */
const LONGEST_WINDOW = 24 * HOUR;
const ACTIVITY_HOURS = 24;
const MOST_SIBLINGS = 50;

interface Wanted {
  readonly at: number;
  /** The addresses of the caller: IPv4, and the IPv6 address that it proved. */
  readonly v4: number;
  readonly v6: number | null;
  readonly tapId: string | null;
  /** Milliseconds. */
  readonly window: number;
  readonly crowdTaps: number;
}

export function createStore() {
  const byAddress = new Map<number, PendingLink[]>();
  const byId = new Map<string, { row: PendingLink; address: number }>();
  const byClaimant = new Map<string, Restore[]>();
  const byDevice = new Map<string, Restore[]>();
  const lastGiven = new Map<number, number>();
  const hours = new Map<number, { seen: number; firstSeen: number }>();

  /** Returns the open rows at an address that were tapped after a time, newest first. */
  function openAt(address: number, since: number, most: number): PendingLink[] {
    const rows = byAddress.get(address);
    const found: PendingLink[] = [];
    if (rows === undefined) return found;
    for (let i = rows.length - 1; i >= 0 && found.length < most; i--) {
      const row = rows[i]!;
      if (row.tappedAt.getTime() - BEGIN <= since) break;
      if (row.closedBy === null) found.push(row);
    }
    return found;
  }

  return {
    insert(address: number, row: PendingLink): void {
      byId.set(row.id, { row, address });
      const rows = getOrMake(byAddress, address, (): PendingLink[] => []);
      const old = row.tappedAt.getTime() - LONGEST_WINDOW;
      while (rows.length > 0 && rows[0]!.tappedAt.getTime() < old) rows.shift();
      rows.push(row);
    },

    /** Returns the open taps at the addresses and the tap of the token, with the rows that would be closed with it. */
    findCandidates({ at, v4, v6, tapId, window, crowdTaps }: Wanted): { rows: PendingLink[]; crowd: boolean } {
      const rows: PendingLink[] = [];
      let crowd = false;
      for (const address of v6 === null ? [v4] : [v4, v6]) {
        const here = openAt(address, at - window, crowdTaps + 1);
        if (here.length > crowdTaps) crowd = true;
        else rows.push(...here);
      }
      const named = tapId === null ? undefined : byId.get(tapId);
      if (named === undefined) return { rows, crowd };
      const siblings = openAt(named.address, at - window, MOST_SIBLINGS).filter(
        ({ linkId, userAgent }) => linkId === named.row.linkId && userAgent === named.row.userAgent,
      );
      return { rows: [...new Set([...rows, named.row, ...siblings])], crowd };
    },

    /** Closes the taps on a link at an address that an opening explains. */
    open(address: number, linkId: string, at: number): void {
      for (const row of openAt(address, at - OPENED_WITHIN - 1, Number.POSITIVE_INFINITY)) {
        if (row.linkId === linkId) Object.assign(row, { closedBy: 'an opening', closedAt: new Date(BEGIN + at) });
      }
    },

    /** Returns true when an earlier answer of the last seconds may be given again to this device. */
    mayRepeat: (device: number, at: number): boolean =>
      (lastGiven.get(device) ?? Number.NEGATIVE_INFINITY) > at - REPLAY_SECONDS * SECOND,

    /** Returns the earlier restores that the decision needs, as the product's repository does. */
    findEarlier(claimant: string | null, hasToken: boolean, device: string | null, at: number): Restore[] {
      const found = new Set<Restore>();
      if (claimant !== null) {
        const answers = byClaimant.get(claimant) ?? [];
        for (const restore of answers) {
          if (restore.at.getTime() - BEGIN > at - REPLAY_SECONDS * SECOND) found.add(restore);
        }
        const spent = hasToken && answers.findLast(({ matchType }) => matchType === 'token');
        if (spent) found.add(spent);
      }
      for (const restore of (device !== null && byDevice.get(device)) || []) found.add(restore);
      return [...found];
    },

    keep(restore: Restore, device: number, at: number): void {
      if (restore.matchType === null || restore.repeats !== null) return;
      lastGiven.set(device, at);
      if (restore.claimant !== null) getOrMake(byClaimant, restore.claimant, (): Restore[] => []).push(restore);
      if (restore.device !== null) getOrMake(byDevice, restore.device, (): Restore[] => []).push(restore);
    },

    count(at: number, isFirst: boolean): void {
      const counts = getOrMake(hours, Math.floor(at / HOUR), () => ({ seen: 0, firstSeen: 0 }));
      counts.seen++;
      if (isFirst) counts.firstSeen++;
    },

    activity(at: number): Activity {
      const now = Math.floor(at / HOUR);
      const countedUntil = (last: number) => {
        const counted = { seen: 0, firstSeen: 0 };
        for (let hour = last - ACTIVITY_HOURS + 1; hour <= last; hour++) {
          counted.seen += hours.get(hour)?.seen ?? 0;
          counted.firstSeen += hours.get(hour)?.firstSeen ?? 0;
        }
        return counted;
      };
      return { ...countedUntil(now), before: countedUntil(now - ACTIVITY_HOURS) };
    },
  };
}
