// One attempt: a push that must not be sent gets a reason. Every other push goes to the provider.
import type { Log } from '@landfall/bus';
import type { PushOutcome } from '../domain/outcome.ts';
import { MOST_ATTEMPTS, STOPPED } from '../domain/verdict.ts';
import type { PushProvider } from '../providers/provider.ts';
import type { Held } from './lane.ts';

/** Returns the reason why the push must not be sent. Null when it may be sent. */
export function whyNot({ taken, notification }: Held, now: Date, isStopped: boolean): string | null {
  if (isStopped) return STOPPED;
  if (taken.dropped || taken.token === null) return 'token-dropped';
  if (!notification || notification.expiresAt <= now) return 'expired';
  // The workers stopped during these attempts, so no outcome was stored.
  if (taken.attempts > MOST_ATTEMPTS) return 'gave-up';
  return null;
}

/** Never rejects. */
export async function attempt(provider: PushProvider, { taken, notification }: Held, log: Log): Promise<PushOutcome> {
  try {
    return await provider.send({
      id: taken.id,
      notificationId: taken.notificationId,
      token: taken.token!,
      kind: taken.kind,
      environment: taken.environment,
      platform: taken.platform,
      language: taken.language,
      message: notification!.message,
      expiresAt: notification!.expiresAt,
    });
  } catch (err) {
    log.error({ err, delivery: taken.id }, 'a provider failed unexpectedly while it sent a push');
    return { kind: 'unknown', reason: 'broken' };
  }
}
