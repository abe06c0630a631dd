// The opened push that an app reports.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A notification's id, spelt as ours are; `ours` is null where it is nothing of ours. */
export function readId(notificationId: string): { notificationId: string; ours: string | null } {
  if (!UUID.test(notificationId)) return { notificationId, ours: null };
  const ours = notificationId.toLowerCase();
  return { notificationId: ours, ours };
}
