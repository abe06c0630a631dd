// The filters of the audit log in an address. Routes read it, so it is loaded with the first page.

export const TIMES = { day: 1, week: 7, month: 30 } as const;
export type Time = keyof typeof TIMES;

export interface AuditSearch {
  /** A person, or {@link OPERATOR}. */
  userId?: string;
  action?: string;
  since?: Time;
}

/** Stands for the operator where a person is named. */
export const OPERATOR = 'operator' as const;

/** Reads these filters from an address. */
export const auditSearch = ({ userId, action, since }: Record<string, unknown>): AuditSearch => ({
  ...(typeof userId === 'string' && { userId }),
  ...(typeof action === 'string' && { action }),
  ...(typeof since === 'string' && since in TIMES && { since: since as Time }),
});
