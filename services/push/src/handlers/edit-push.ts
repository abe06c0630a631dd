import { EditPush, type InputOf } from '@landfall/contracts';
import { changing, refused } from '../changing.ts';
import { expiryAfter, isLater, type Stored, shown, shownTarget, statusOf } from '../domain/notification.ts';
import { tooLarge } from '../domain/render/size.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

/** A worker that begins to send the notification waits for the lock. If it had the lock first, the edit is refused. */
export const editPush = (push: PushRepository, wake: () => void) =>
  changing(
    EditPush,
    push,
    async (input, tx, { now }) => {
      const { devices, notifications } = push;
      const found = await notifications.lock(tx, input.notificationId);
      if (!found) return refused('NOTIFICATION_NOT_FOUND');
      if (input.ifVersion !== null && input.ifVersion !== found.version) return refused('VERSION_MISMATCH');
      if (statusOf(found, now) !== 'scheduled') return refused('PUSH_BEGUN');
      const message = { ...found.message, ...input.message };
      if (message.title === '' && message.body === '' && !message.silent) return refused('PUSH_WITHOUT_TITLE');
      const large = tooLarge(message);
      if (large) return large;
      const { appId, id } = found;
      const target = input.target ?? found.target;
      const { targeted } = input.target ? await devices.countAudience(appId, target, now) : found;
      const edit = { message, target, targeted, ...timesOf(input, found, now) };
      const edited = await notifications.edit(tx, id, edit);
      const after = { ...logged(edited), fields: Object.keys(input.message) };
      return { appId, subject: id, before: logged(found), after, done: { notification: shown(edited, now) } };
    },
    wake,
  );

/** A notification with a new send time lives as long as before, counted from the new send time. */
function timesOf({ sendAt: given, ttlSeconds }: InputOf<typeof EditPush>, found: Stored, now: Date) {
  const wanted = given === undefined ? found.sendAt : new Date(given);
  const sendAt = isLater(wanted, now) ? wanted : now;
  const ttlMs = ttlSeconds === undefined ? +found.expiresAt - +found.sendAt : ttlSeconds * 1_000;
  return { sendAt, expiresAt: expiryAfter(sendAt, ttlMs) };
}

/** Returns the entry for the audit log. */
const logged = ({ message: { title }, target, sendAt, targeted }: Stored) => ({
  title,
  target: shownTarget(target),
  sendAt: sendAt.toISOString(),
  targeted,
});
