import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet } from '@tanstack/react-router';
import { meQuery } from '../../../api/session.ts';
import { NotFoundPage } from '../../../parts/page/failed-page.tsx';

export const Route = createFileRoute('/_app/instance')({ component: OfInstance });

/** Everybody else sees that there is no such page, as for everything without a role. */
function OfInstance() {
  const { person } = useSuspenseQuery(meQuery()).data;
  return person?.instanceOwner ? <Outlet /> : <NotFoundPage />;
}
