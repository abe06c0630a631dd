import { createFileRoute, redirect } from '@tanstack/react-router';
import { appsQuery, meQuery } from '../../api/index.ts';

/** Opens the newest app. Without one, the page that makes one, or where a closed team is opened. */
export const Route = createFileRoute('/_app/')({
  async beforeLoad({ context: { queries } }) {
    const [app] = await queries.ensureQueryData(appsQuery());
    if (!app) {
      const { teams } = await queries.ensureQueryData(meQuery());
      throw redirect({ to: teams.some(({ closed }) => closed) ? '/account' : '/apps/new' });
    }
    throw redirect({ to: '/apps/$appId', params: { appId: app.id } });
  },
});
