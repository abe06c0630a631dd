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

/** The results of a push, in the order in which they are shown. Those that are mostly 0 are shown only when they are not. */
const RESULTS = ['sent', 'opened', 'failed', 'queued', 'unknown', 'stopped', 'logged'] as const;
const ALWAYS: readonly string[] = ['sent', 'opened', 'failed'];

export const resultsOf = ({ counts }: Notification) =>
  RESULTS.filter((result) => ALWAYS.includes(result) || counts[result] > 0).map((result) => ({
    result,
    count: counts[result],
  }));
