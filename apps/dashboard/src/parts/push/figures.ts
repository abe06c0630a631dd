import type { Notification } from '@landfall/api-client';

/** The results of a push, in the order in which they are shown. Those that are mostly 0 are shown only when they are not. */
export const RESULTS = ['sent', 'opened', 'failed', 'queued', 'unknown', 'stopped', 'logged'] as const;
export type Result = (typeof RESULTS)[number];
const ALWAYS: readonly Result[] = ['sent', 'opened', 'failed'];

export const resultsOf = ({ counts }: Notification): { result: Result; count: number }[] =>
  RESULTS.filter((result) => ALWAYS.includes(result) || counts[result] > 0).map((result) => ({
    result,
    count: counts[result],
  }));

export const COLORS: Record<Notification['status'], string> = {
  scheduled: 'indigo.8',
  sending: 'indigo.8',
  sent: 'teal.9',
  cancelled: 'gray.8',
  stopped: 'gray.8',
};
