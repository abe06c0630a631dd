import { createFileRoute, redirect } from '@tanstack/react-router';
import { appsQuery, meQuery } from '../../api/index.ts';
import { lastApp } from '../../parts/shell/last-app.ts';

/** Opens the app that was seen last in this browser, or the newest. Without one, the page that makes one, or where a closed team is opened. */
export const Route = createFileRoute('/_app/')({
  async beforeLoad({ context: { queries } }) {
    const apps = await queries.ensureQueryData(appsQuery());
    const last = lastApp();
    const app = apps.find(({ id }) => id === last) ?? apps[0];
    if (!app) {
      const { teams } = await queries.ensureQueryData(meQuery());
      throw redirect({ to: teams.some(({ closed }) => closed) ? '/account' : '/apps/new' });
    }
    throw redirect({ to: '/apps/$appId', params: { appId: app.id } });
  },
});
