import { api } from '../../api/client.ts';

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
      refetchInterval: ({ state: { data } }) => {
        const status = data?.notification.status;
        return status === 'sending' || status === 'scheduled' ? WHILE_SENDING_MS : LATER_MS;
      },
    },
  );

export const providersQuery = (appId: string) =>
  api.queryOptions('get', '/api/manage/apps/{appId}/push-providers', { params: { path: { appId } } });
