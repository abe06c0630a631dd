// A notification as it is shown. Its status follows from its row and the current time.
import type { Notification, NotificationStatus, PushMessage, PushTarget } from '@landfall/contracts';
import type { Notification as Row } from '@landfall/db';

export type Stored = Omit<Readonly<Row>, 'message' | 'target' | 'inputHash'> & {
  readonly message: PushMessage;
  readonly target: PushTarget;
};

/** False: the notification is sent at once, or its scheduled time has passed. */
export const isLater = (sendAt: Date, now: Date): boolean => sendAt.getTime() > now.getTime();

/** The minimum time that a push may wait here until it is sent, in milliseconds, even if the caller asks for less. */
const LEAST_TTL_MS = 10_000;

export const expiryAfter = (sendAt: Date, ttlMs: number): Date =>
  new Date(sendAt.getTime() + Math.max(ttlMs, LEAST_TTL_MS));

export function statusOf(stored: Stored, now: Date): NotificationStatus {
  if (stored.cancelledAt) return 'cancelled';
  if (stored.stoppedAt) return 'stopped';
  if (!hasBegun(stored) && isLater(stored.sendAt, now)) return 'scheduled';
  return stored.expandedAt && queuedOf(stored) === 0 ? 'sent' : 'sending';
}

const hasBegun = ({ expandedTo, leasedUntil, expandedAt }: Stored): boolean =>
  expandedTo !== null || leasedUntil !== null || expandedAt !== null;

const queuedOf = ({ targeted, sent, failed, unknown, logged }: Stored): number =>
  Math.max(0, targeted - sent - failed - unknown - logged);

export function shown(stored: Stored, now: Date): Notification {
  const { id, appId, message, targeted, sent, failed, unknown, logged, opened, version } = stored;
  const status = statusOf(stored, now);
  const left = queuedOf(stored);
  const queued = status === 'sending' ? left : 0;
  // Deliveries that were under way at the stop are counted here until their outcome is known.
  const stopped = status === 'stopped' ? left : 0;
  return {
    id,
    appId,
    message,
    target: shownTarget(stored.target),
    status,
    createdAt: stored.createdAt.toISOString(),
    sendAt: stored.sendAt.toISOString(),
    expiresAt: stored.expiresAt.toISOString(),
    cancelledAt: stored.cancelledAt?.toISOString() ?? null,
    stoppedAt: stored.stoppedAt?.toISOString() ?? null,
    targeted,
    counts: { queued, sent, failed, unknown, logged, opened, stopped },
    version,
  };
}

/** Returns the target with the number of users or tokens instead of their names. */
export const shownTarget = ({ platform, emails, tokens, seenWithinDays }: PushTarget): Notification['target'] => ({
  platform,
  emails: emails?.length ?? null,
  tokens: tokens?.length ?? null,
  seenWithinDays,
});
