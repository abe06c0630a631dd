import { createFileRoute, redirect } from '@tanstack/react-router';
import { appsQuery } from '../../api/index.ts';

/** Opens the newest app. Without one, the page that makes one. */
export const Route = createFileRoute('/_app/')({
  async beforeLoad({ context: { queries } }) {
    const [app] = await queries.ensureQueryData(appsQuery());
    if (!app) throw redirect({ to: '/apps/new' });
    throw redirect({ to: '/apps/$appId', params: { appId: app.id } });
  },
});
