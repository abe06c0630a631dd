import type { Notification } from '@landfall/api-client';
import { api, askEvery } from '../../api/index.ts';

/** Milliseconds between looks at a push that is being sent. */
const WHILE_SENDING_MS = 1_500;
/** Opens still come afterwards. */
const LATER_MS = 30_000;

export const notificationQuery = (notificationId: string) =>
  api.queryOptions(
    'get',
    '/api/manage/notifications/{notificationId}',
    { params: { path: { notificationId } } },
    {
      refetchInterval(query) {
        const status = query.state.data?.notification.status;
        return askEvery(status === 'sending' || status === 'scheduled' ? WHILE_SENDING_MS : LATER_MS)(query);
      },
    },
  );

export const providersQuery = (appId: string) =>
  api.queryOptions('get', '/api/manage/apps/{appId}/push-providers', { params: { path: { appId } } });

/** False for a push that no provider has got: nobody knows who would have accepted or opened it. */
export const isKnown = ({ status, counts: { sent, failed, unknown, logged } }: Notification): boolean =>
  status !== 'scheduled' && status !== 'cancelled' && (logged === 0 || sent + failed + unknown > 0);

/** The results of a push, in the order in which they are shown. Those that are mostly 0 are shown only when they are not. */
const RESULTS = ['sent', 'opened', 'failed', 'queued', 'unknown', 'stopped', 'logged'] as const;
const ALWAYS: readonly string[] = ['sent', 'opened', 'failed'];

export const resultsOf = (push: Notification) =>
  RESULTS.filter((result) => ALWAYS.includes(result) || push.counts[result] > 0).map((result) => ({
    result,
    count: ALWAYS.includes(result) && !isKnown(push) ? null : push.counts[result],
  }));

/** The part of the devices with an accepted push that opened it. Null: there is none. */
export const openRate = (push: Notification): number | null =>
  isKnown(push) && push.counts.sent > 0 ? push.counts.opened / push.counts.sent : null;
