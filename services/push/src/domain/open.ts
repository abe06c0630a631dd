// An app's report that a push was opened.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns a notification's id. An id in the format of our ids is returned in lower case, as we write them. `ours` is
 * null when the id is not in that format.
 */
export function readId(notificationId: string): { notificationId: string; ours: string | null } {
  if (!UUID.test(notificationId)) return { notificationId, ours: null };
  const ours = notificationId.toLowerCase();
  return { notificationId: ours, ours };
}
