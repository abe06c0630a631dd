// The input of a decision: the caller, the facts about the device, and the pending links that might be its own.
import type { InputOf, MatchType, RestoreLinks, Rollout } from '@landfall/contracts';
import type { Device } from './device.ts';
import { seconds, since } from './time.ts';

export type Ask = InputOf<typeof RestoreLinks> & {
  readonly id: string;
  readonly now: Date;
  /** As of a heartbeat that came with it. */
  readonly from: string | null;
};

/** A tap, or a stored link, that waits for an app's first start. */
export interface PendingLink {
  readonly id: string;
  readonly appId: string;
  readonly linkId: string;
  readonly kind: 'tap' | 'store';
  readonly originalUrl: string | null;
  /** All of it, where `originalUrl` lacks what is nobody's to read. Only a gateway opens it. */
  readonly sealedUrl: string | null;
  readonly tappedAt: Date;
  readonly platform: 'ios' | 'android' | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly email: string | null;
  readonly fingerprint: string | null;
  /**
   * The number of others that the app had met at this address in the day before the tap. The tap's own browser does not
   * count.
   */
  readonly others: number;
  /** Of its link, as far as is known now. */
  readonly archivedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The message that closed it for every key but its token. */
  closedBy: string | null;
  /** When it was closed; of an open one, when it was opened again. */
  closedAt: Date | null;
}

export type NewPendingLink = Omit<PendingLink, 'others' | 'archivedAt' | 'expiresAt' | 'closedBy' | 'closedAt'>;

/** A link that the device was given before, and by which tier. */
export interface Given {
  readonly linkId: string;
  readonly at: Date;
  readonly matchType: MatchType;
  readonly address: string | null;
}

/** The facts about the device that asks, this start of the app included. */
export interface Sighting {
  /** Null when neither a fingerprint nor an email says which device it is. */
  readonly device: Device | null;
  /** When it was first met at this address, in the last days. */
  readonly firstHereAt: Date | null;
  readonly lastHeartbeatAt: Date | null;
  /** Others at this address in the last day, browsers that tapped included. Counted only where there is a candidate. */
  readonly others: number;
  /** Set when an update may be reaching users that the app had before. Looked up only when it can matter. */
  readonly rollout: Rollout | null;
  /** So many open taps are at this address that none of them is looked at. */
  readonly crowd: boolean;
  /** The links that the device got before. Looked up only when there is a candidate. */
  readonly given: readonly Given[];
  /** The token that it brings was good for an earlier restore. */
  readonly tokenSpent: boolean;
}

/** The reason why a candidate is taken or not. */
export interface CandidateVerdict {
  readonly row: PendingLink;
  readonly matchType: MatchType;
  readonly taken: boolean;
  readonly reason: string;
}

export const taken = (row: PendingLink, matchType: MatchType, reason: string): CandidateVerdict => ({
  row,
  matchType,
  taken: true,
  reason,
});

export const refused = (row: PendingLink, matchType: MatchType, reason: string): CandidateVerdict => ({
  row,
  matchType,
  taken: false,
  reason,
});

/** Among how many people the tap was made; 1 at least. */
export const peopleAt = ({ others }: PendingLink): number => Math.max(1, others);

/** Stored for somebody: never anyone else's by address. */
export const isAddressed = (row: PendingLink): boolean => row.email !== null || row.fingerprint !== null;

/** Open at that time: a message that comes again much later is not given what was opened again since. */
export const isOpen = ({ closedBy, closedAt }: PendingLink, now: Date): boolean =>
  closedBy === null && (closedAt === null || closedAt <= now);

/** Returns the reason why nobody gets it for now. It is a candidate again when the link is live again. */
export function whyGone({ archivedAt, expiresAt }: PendingLink, now: Date): string | null {
  if (archivedAt !== null) return 'the link is archived';
  return expiresAt !== null && expiresAt <= now ? 'the link has expired' : null;
}

/** Tapped in the time before `now`; what was tapped later is nobody's yet. */
export const isWithin = ({ tappedAt }: PendingLink, now: Date, span: number): boolean =>
  tappedAt <= now && since(tappedAt, now) < span;

/** A heartbeat of the same start of the app came before this. */
export function hasHeartbeat({ now, matching }: Ask, { lastHeartbeatAt }: Sighting): boolean {
  if (lastHeartbeatAt === null) return false;
  const span = since(lastHeartbeatAt, now);
  return span >= 0 && span < seconds(matching.sameStartSeconds);
}

export function newestFirst(a: PendingLink, b: PendingLink): number {
  return b.tappedAt.getTime() - a.tappedAt.getTime() || (a.id < b.id ? 1 : -1);
}
