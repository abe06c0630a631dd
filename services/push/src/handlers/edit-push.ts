import type { One } from '@landfall/bus';
import type { EditPush, InputOf } from '@landfall/contracts';
import { isLater, type Stored, shown, shownTarget, statusOf } from '../domain/notification.ts';
import { LEAST_TTL_SECONDS } from '../domain/render/time-to-live.ts';
import { tooLarge } from '../domain/render/too-large.ts';
import type { PushRepository } from '../repositories/push-repository.ts';
import type { SendParts } from '../send-parts.ts';

/**
 * Edits a scheduled notification. A worker that begins to send it waits for the lock. If the worker had the lock first,
 * the edit is refused.
 */
export function editPush(push: PushRepository, { sizeOf, wake }: SendParts): One<typeof EditPush> {
  const { changes, devices, notifications } = push;
  return async (input, context) => {
    const { actor, teamId, notificationId, ifVersion } = input;
    const { now } = context;
    const change = await changes.change({ action: 'EditPush', actor, teamId, context }, async (tx) => {
      const found = await notifications.lock(tx, notificationId);
      if (!found) return { refusal: { code: 'NOTIFICATION_NOT_FOUND', facts: {} } };
      if (ifVersion !== null && ifVersion !== found.version)
        return { refusal: { code: 'VERSION_MISMATCH', facts: {} } };
      if (statusOf(found, now) !== 'scheduled') return { refusal: { code: 'PUSH_BEGUN', facts: {} } };
      const message = { ...found.message, ...input.message };
      if (message.title === '' && message.body === '' && !message.silent)
        return { refusal: { code: 'PUSH_WITHOUT_TITLE', facts: {} } };
      const refused = tooLarge(message, sizeOf);
      if (refused) return refused;
      const target = input.target ?? found.target;
      const { targeted } = input.target ? await devices.countAudience(found.appId, target, now) : found;
      const edited = await notifications.edit(tx, found.id, {
        message,
        target,
        targeted,
        ...timesOf(input, found, now),
      });
      const { appId } = found;
      const done = { notification: shown(edited, now) };
      const changed = { fields: Object.keys(input.message) };
      return { appId, subject: found.id, before: logged(found), after: { ...logged(edited), ...changed }, done };
    });
    if ('refusal' in change) return change;
    wake();
    return { reply: change.done };
  };
}

/**
 * Returns the send time and the expiry. A notification with a new send time lives as long as before, counted from the
 * new send time.
 */
function timesOf({ sendAt: given, ttlSeconds }: InputOf<typeof EditPush>, { sendAt, expiresAt }: Stored, now: Date) {
  const wanted = given === undefined ? sendAt : new Date(given);
  const at = isLater(wanted, now) ? wanted : now;
  const ttlMs = ttlSeconds === undefined ? +expiresAt - +sendAt : Math.max(ttlSeconds, LEAST_TTL_SECONDS) * 1_000;
  return { sendAt: at, expiresAt: new Date(at.getTime() + ttlMs) };
}

/** Returns the entry for the audit log. */
const logged = ({ message: { title }, target, sendAt, targeted }: Stored) => ({
  title,
  target: shownTarget(target),
  sendAt: sendAt.toISOString(),
  targeted,
});
