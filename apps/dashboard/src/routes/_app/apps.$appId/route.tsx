import { createFileRoute, Outlet } from '@tanstack/react-router';
import { IntlProvider } from 'use-intl';
import { appQuery, useApp } from '../../../api/index.ts';

export const Route = createFileRoute('/_app/apps/$appId')({
  loader: ({ context: { queries }, params: { appId } }) => queries.ensureQueryData(appQuery(appId)),
  component: OfApp,
});

/** The times on the pages of an app are in its zone. On other pages they are in the zone of the browser. */
function OfApp() {
  const { timeZone } = useApp();
  return (
    <IntlProvider locale="en" timeZone={timeZone}>
      <Outlet />
    </IntlProvider>
  );
}
