import { createFileRoute, Outlet } from '@tanstack/react-router';
import { useMe } from '../../../api/index.ts';
import { NotFoundPage } from '../../../parts/page/failed-page.tsx';

export const Route = createFileRoute('/_app/instance')({ component: OfInstance });

/** Everybody else sees that there is no such page, as for everything without a role. */
function OfInstance() {
  const { person } = useMe();
  return person?.instanceOwner ? <Outlet /> : <NotFoundPage />;
}
