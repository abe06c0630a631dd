import { createFileRoute, Outlet } from '@tanstack/react-router';
import { appQuery } from '../../../api/apps.ts';

export const Route = createFileRoute('/_app/apps/$appId')({
  loader: ({ context: { queries }, params: { appId } }) => queries.ensureQueryData(appQuery(appId)),
  component: Outlet,
});
