import { Alert, AppShell, Burger, Divider, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  createFileRoute,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
  useParams,
  useRouterState,
} from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, appQuery, followSignOut, hasCode, type Me, meQuery, useMe } from '../api/index.ts';
import { FailedPage } from '../parts/page/failed-page.tsx';
import { PageButton, PageLink } from '../parts/page/links.tsx';
import { MenuLink } from '../parts/shell/menu-link.tsx';
import { commonPages, instancePages, pagesFor } from '../parts/shell/navigation.ts';
import { SchemeButton } from '../parts/shell/scheme-button.tsx';
import { Shortcuts } from '../parts/shell/shortcuts.tsx';

// Menus need a third of the code of the first page, and it can be read without them.
const AppMenu = lazyRouteComponent(() => import('../parts/shell/header-menus.tsx'), 'AppMenu');
const PersonMenu = lazyRouteComponent(() => import('../parts/shell/header-menus.tsx'), 'PersonMenu');

export const Route = createFileRoute('/_app')({
  async beforeLoad({ context: { queries }, location }) {
    try {
      await queries.ensureQueryData(meQuery());
    } catch (error) {
      if (!hasCode(error, 'NOT_SIGNED_IN')) throw error;
      const setUp = await queries.ensureQueryData(api.queryOptions('get', '/api/manage/set-up'));
      if (setUp.needed) throw redirect({ to: '/setup' });
      // The way back from an OpenID Connect provider brings the error to the page that was asked for.
      const { error: refused } = location.search as { error?: string };
      const search = { ...(location.pathname !== '/' && { to: location.href }), ...(refused && { error: refused }) };
      throw redirect({ to: '/sign-in', search });
    }
  },
  errorComponent: FailedPage,
  component: Shell,
});

function Shell() {
  const t = useTranslations('shell');
  const { queries } = Route.useRouteContext();
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const appId = useShownApp(path);
  useEffect(() => followSignOut(queries), [queries]);
  // On a phone, a new page closes the menu. So does the link to the same page.
  useEffect(close, [path]);
  // Another tab may end the session: then this one leaves at the next focus.
  const me = useMe();
  const { data } = useQuery({ ...appQuery(appId ?? ''), enabled: appId !== undefined });
  const pages = pagesFor(me, data?.app.teamId ?? null);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Text size="md" fw={700} component={Link} to="/" c="inherit" td="none" visibleFrom="sm">
              Landfall
            </Text>
            <Suspense fallback={<Skeleton w={{ base: 170, sm: 220 }} h={36} />}>
              <AppMenu appId={appId} />
            </Suspense>
          </Group>
          <Group gap={4} wrap="nowrap">
            <SchemeButton />
            <Suspense fallback={<Skeleton w={34} h={34} />}>
              {me.kind !== 'visitor' && <PersonMenu />}
              {me.kind === 'visitor' && (
                <PageButton to="/sign-in" variant="default">
                  {t('signIn')}
                </PageButton>
              )}
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('pages')} style={{ overflowY: 'auto' }} onClick={close}>
        {appId !== undefined &&
          pages.map(({ to, name, icon: Icon }) => (
            <MenuLink
              key={to}
              to={to}
              params={{ appId }}
              // The first page of an app is above its other pages.
              activeOptions={{ exact: to === '/apps/$appId' }}
              label={t(name)}
              leftSection={<Icon size={18} aria-hidden />}
            />
          ))}
        {commonPages.map(({ to, name, icon: Icon }) => (
          <MenuLink key={to} to={to} label={t(name)} leftSection={<Icon size={18} aria-hidden />} />
        ))}
        {me.person?.instanceOwner && (
          <>
            <Divider my="xs" label={t('ofInstance')} />
            {instancePages.map(({ to, name, icon: Icon }) => (
              <MenuLink
                key={to}
                to={to}
                activeOptions={{ exact: to === '/instance' }}
                label={t(name)}
                leftSection={<Icon size={18} aria-hidden />}
              />
            ))}
          </>
        )}
      </AppShell.Navbar>
      <Shortcuts appId={appId} />
      <AppShell.Main>
        {me.kind === 'visitor' && (
          <Alert mb="md" title={t('demo')}>
            {t('demoText')}
          </Alert>
        )}
        {me.teams.some(({ closed }) => closed) && (
          <Alert mb="md" color="yellow" title={t('closed', { teams: closedNames(me) })}>
            <Text>{t('closedText')}</Text>
            {path !== '/account' && <PageLink to="/account">{t('closedLink')}</PageLink>}
          </Alert>
        )}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

const closedNames = ({ teams }: Me): string =>
  teams
    .filter(({ closed }) => closed)
    .map(({ name }) => name)
    .join(', ');

/** Returns the app of the page. On a page of the instance it is the app that the person came from. */
function useShownApp(path: string): string | undefined {
  const { appId } = useParams({ strict: false });
  const [last, setLast] = useState(appId);
  if (appId !== undefined && appId !== last) setLast(appId);
  return appId ?? (path.startsWith('/instance') ? last : undefined);
}
