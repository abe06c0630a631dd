// The filters of the audit log in an address. Routes read it, so it is loaded with the first page.

export const TIMES = { day: 1, week: 7, month: 30 } as const;
export type Time = keyof typeof TIMES;

export interface AuditSearch {
  action?: string;
  since?: Time;
}

/** Reads these filters from an address. */
export const auditSearch = ({ action, since }: Record<string, unknown>): AuditSearch => ({
  ...(typeof action === 'string' && { action }),
  ...(typeof since === 'string' && since in TIMES && { since: since as Time }),
});
