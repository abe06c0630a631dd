import { api } from '../../api/client.ts';
import { askEvery } from '../../api/queries.ts';

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
