// The input of a decision: the caller, the facts about the device, and the pending links that may belong to it.
import type { InputOf, MatchType, RestoreLinks } from '@landfall/contracts';
import { type Device, isShared } from './device.ts';
import type { Reaching } from './rollout.ts';
import { days, seconds, since } from './time.ts';

export type Ask = InputOf<typeof RestoreLinks> & {
  readonly id: string;
  readonly now: Date;
  /**
   * Returns the value that a heartbeat sent together with this request would have: one value for its address and user
   * agent.
   */
  from(): string | null;
};

/** A tap or a stored link that waits for the first start of an app. */
export interface PendingLink {
  readonly id: string;
  readonly appId: string;
  readonly linkId: string;
  readonly kind: 'tap' | 'store';
  readonly originalUrl: string | null;
  /** The whole URL, encrypted. Set when `originalUrl` lacks private parts. Only a gateway decrypts it. */
  readonly sealedUrl: string | null;
  readonly tappedAt: Date;
  readonly platform: 'ios' | 'android' | null;
  /** A keyed hash of the model of an Android phone, and the major version of its system. Null: not known. */
  readonly model: string | null;
  readonly osMajor: number | null;
  /** Keyed hashes of the fingerprints that the public client may have on the phone that tapped. Null: not known. */
  readonly builds: readonly string[] | null;
  readonly language: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly email: string | null;
  readonly fingerprint: string | null;
  /**
   * The number of others that the app saw at this address in the 24 hours before the tap. The browser that tapped does
   * not count.
   */
  readonly others: number;
  /**
   * The same without those whose platform contradicts the tap, and without those whose platform or model contradicts
   * it. Null when they were not counted.
   */
  readonly othersOfPlatform: number | null;
  readonly othersAlike: number | null;
  /** The state of its link, as far as it is known now. */
  readonly archivedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The id of the message that closed it. A closed link can still match by its token. */
  closedBy: string | null;
  /** The time when it was closed. For an open link, the time when it was opened again. */
  closedAt: Date | null;
}

export type NewPendingLink = Omit<
  PendingLink,
  'others' | 'othersOfPlatform' | 'othersAlike' | 'archivedAt' | 'expiresAt' | 'closedBy' | 'closedAt'
>;

/** A link that the device got before, and the tier that gave it. */
export interface Given {
  readonly linkId: string;
  readonly at: Date;
  readonly matchType: MatchType;
  readonly address: string | null;
}

/** The numbers of others at an address, including browsers that tapped. Counted only when there is a candidate. */
export interface Others {
  /** In the last 24 hours. */
  readonly others: number;
  /** For the first time in the last seven days. */
  readonly newcomers: number;
  /** Devices that the app met for the first time, and at this address, in the last ten minutes. */
  readonly newDevices: number;
}

/** The facts about the device that sends the restore, including this start of the app. */
export interface Sighting extends Others {
  /** Null when neither a fingerprint nor an email identifies the device. */
  readonly device: Device | null;
  /** The time when the device was first seen at this address, in the last days. */
  readonly firstHereAt: Date | null;
  readonly lastHeartbeatAt: Date | null;
  /** Set when an update may be reaching users that the app had before. Read only when it can matter. */
  readonly rollout: Reaching | null;
  /** True when this address has too many open taps. Then none of them is read. */
  readonly crowd: boolean;
  /** The links that the device got before. Read only when there is a candidate. */
  readonly given: readonly Given[];
  /** True when an earlier restore used the token of this request. */
  readonly tokenSpent: boolean;
}

/** The reason why a candidate is taken or not. */
export interface CandidateVerdict {
  readonly row: PendingLink;
  readonly matchType: MatchType;
  readonly taken: boolean;
  readonly reason: string;
}

const verdict =
  (taken: boolean) =>
  (row: PendingLink, matchType: MatchType, reason: string): CandidateVerdict => ({ row, matchType, taken, reason });

export const taken = verdict(true);
export const refused = verdict(false);

/** Returns true when the request has a token that still names its tap. The gateway checked the signature. */
export const isFreshToken = ({ token, now, matching }: Ask): boolean =>
  token !== null && since(new Date(token.tappedAt), now) < days(matching.tokenDays);

/** Returns true when the link is stored for a certain person. Such a link never matches another person by address. */
export const isAddressed = (row: PendingLink): boolean => row.email !== null || row.fingerprint !== null;

/** Returns true when the tap was made at an address of the caller, IPv4 or IPv6, and may match by it. */
export const isHere = (row: PendingLink, { address, ipv6 }: Ask): boolean =>
  row.address !== null && (row.address === address || row.address === ipv6) && !isAddressed(row);

/**
 * Returns true when the link is open at `now`. A link that was opened again after `now` does not count, so a message
 * that is redelivered much later does not get it.
 */
export const isOpen = ({ closedBy, closedAt }: PendingLink, now: Date): boolean =>
  closedBy === null && (closedAt === null || closedAt <= now);

/**
 * Returns the reason why no device gets the link for now, or null. The link is a candidate again when it is live again.
 */
export function whyGone({ archivedAt, expiresAt }: PendingLink, now: Date): string | null {
  if (archivedAt !== null) return 'the link is archived';
  return expiresAt !== null && expiresAt <= now ? 'the link has expired' : null;
}

/** Returns true when the tap was made within `span` before `now`. A tap after `now` does not count yet. */
export const isWithin = ({ tappedAt }: PendingLink, now: Date, span: number): boolean =>
  tappedAt <= now && since(tappedAt, now) < span;

/** Returns true when several phones have the fingerprint of the device. */
export const hasSeveralPhones = ({ now, matching }: Pick<Ask, 'now' | 'matching'>, device: Device | null): boolean =>
  device !== null && isShared(device, now, matching.sharedFingerprintDays);

/** Returns true when a heartbeat of the same start of the app came before this restore. */
export function hasHeartbeat({ now, matching }: Ask, { lastHeartbeatAt }: Sighting): boolean {
  if (lastHeartbeatAt === null) return false;
  const span = since(lastHeartbeatAt, now);
  return span >= 0 && span < seconds(matching.sameStartSeconds);
}

export function newestFirst(a: PendingLink, b: PendingLink): number {
  return b.tappedAt.getTime() - a.tappedAt.getTime() || (a.id < b.id ? 1 : -1);
}
