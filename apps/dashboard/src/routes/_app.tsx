import { Alert, AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  createFileRoute,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
  useRouterState,
} from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { api, appQuery, followSignOut, hasCode, type Me, meQuery } from '../api/index.ts';
import { FailedPage } from '../parts/page/failed-page.tsx';
import { PageButton, PageLink } from '../parts/page/links.tsx';
import { InFrame } from '../parts/page/page.tsx';
import { HeaderSearch } from '../parts/shell/header-search.tsx';
import { useShownApp } from '../parts/shell/last-app.ts';
import { Menu } from '../parts/shell/menu.tsx';
import { menuOf } from '../parts/shell/navigation.ts';
import { SchemeButton } from '../parts/shell/scheme-button.tsx';
import classes from '../parts/shell/shell.module.css';

// Menus need a third of the code of the first page, and it can be read without them.
const AppMenu = lazyRouteComponent(() => import('../parts/shell/header-menus.tsx'), 'AppMenu');
const PersonMenu = lazyRouteComponent(() => import('../parts/shell/header-menus.tsx'), 'PersonMenu');

/** Pages that strangers may see, too. */
const FOR_ALL = /^\/(?:try|docs)(?:\/|$)/;

export const Route = createFileRoute('/_app')({
  async beforeLoad({ context: { queries }, location }) {
    const isForAll = FOR_ALL.test(location.pathname);
    // A stranger is asked for once, and not before each guide.
    if (isForAll && queries.getQueryState(meQuery().queryKey)?.status === 'error') return;
    try {
      await queries.ensureQueryData(meQuery());
    } catch (error) {
      if (isForAll) return;
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
  // Nearly all pages have this frame. As a part of its own, it would come after the first one, together with ten others.
  codeSplitGroupings: [],
});

/** The frame of all pages: header, menu and page. The page alone changes. */
function Shell() {
  const t = useTranslations('shell');
  const { queries } = Route.useRouteContext();
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => followSignOut(queries), [queries]);
  // On a phone, a new page closes the menu. So does the link to the same page.
  useEffect(close, [path]);
  useHotkeys([['Escape', close]], []);
  useFocusOfPage();
  // Another tab may end the session: then this one leaves at the next focus. A stranger is not asked for again.
  const { data: me } = useQuery({ ...meQuery(), enabled: queries.getQueryData(meQuery().queryKey) !== undefined });
  const appId = useShownApp(me);
  const { data, isError } = useQuery({ ...appQuery(appId ?? ''), enabled: appId !== undefined });
  const isKnown = appId === undefined || data !== undefined || isError;
  const groups = me && isKnown ? menuOf(me, data?.app) : undefined;
  return (
    <AppShell
      header={{ height: 52 }}
      {...(me && { navbar: { width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } } })}
      padding="md"
    >
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm" miw={0}>
            {me && (
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={t('menu')}
                aria-expanded={opened}
              />
            )}
            <Text size="md" fw={700} component={Link} to="/" c="inherit" td="none" {...(me && { visibleFrom: 'sm' })}>
              Landfall
            </Text>
            {me && (
              <Suspense fallback={<Box w={{ base: 150, sm: 220 }} h={36} aria-busy />}>
                <AppMenu appId={appId} />
              </Suspense>
            )}
          </Group>
          <Group gap={4} wrap="nowrap" flex={1} justify="flex-end" miw={0}>
            <HeaderSearch appId={appId} isStranger={me === undefined} />
            <SchemeButton />
            <Suspense fallback={<Box w={34} h={34} aria-busy />}>
              {me && me.kind !== 'visitor' && <PersonMenu />}
              {me?.kind !== 'visitor' && me ? null : (
                <PageButton to="/sign-in" search={me ? {} : { to: path }} variant="default" flex="none">
                  {t('signIn')}
                </PageButton>
              )}
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      {me && (
        <AppShell.Navbar
          p="xs"
          aria-label={t('pages')}
          className={classes.menu}
          data-opened={opened || undefined}
          style={{ overflowY: 'auto' }}
          onClick={close}
        >
          <Menu groups={groups} appId={appId} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <InFrame value>
          {me?.kind === 'visitor' && (
            <Alert mb="md" title={t('demo')}>
              {t('demoText')}
            </Alert>
          )}
          {me?.teams.some(({ closed }) => closed) && (
            <Alert mb="md" color="yellow" title={t('closed', { teams: closedNames(me) })}>
              <Text>{t('closedText')}</Text>
              {path !== '/account' && <PageLink to="/account">{t('closedLink')}</PageLink>}
            </Alert>
          )}
          <Outlet />
        </InFrame>
      </AppShell.Main>
    </AppShell>
  );
}

function focusPage(): void {
  const main = document.querySelector<HTMLElement>('#main');
  (main?.querySelector<HTMLElement>('h1') ?? main)?.focus({ preventScroll: true });
}

/** Moves the focus to the heading of a new page, where a keyboard and a screen reader go on. A field that took it keeps it. */
function useFocusOfPage(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const focused = document.activeElement;
        if (fromLocation !== undefined && pathChanged && !focused?.closest('#main, [role=dialog]')) focusPage();
      }),
    [router],
  );
}

const closedNames = ({ teams }: Me): string =>
  teams
    .filter(({ closed }) => closed)
    .map(({ name }) => name)
    .join(', ');
