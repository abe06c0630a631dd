import {
  ActionIcon,
  AppShell,
  Burger,
  Divider,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Select,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import {
  createFileRoute,
  Link,
  Outlet,
  redirect,
  useNavigate,
  useParams,
  useRouterState,
} from '@tanstack/react-router';
import { BookOpen, CircleUserRound, LogOut, MoonStar } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { appsQuery } from '../api/apps.ts';
import { api } from '../api/client.ts';
import { hasCode } from '../api/failure.ts';
import { followSignOut, meQuery, signOut } from '../api/session.ts';
import { FailedPage } from '../parts/page/failed-page.tsx';
import { appPages, instancePages } from '../parts/page/navigation.ts';
import { Shortcuts } from '../parts/page/shortcuts.tsx';
import { useFailureToast } from '../parts/page/use-failure-toast.ts';

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
  const { appId } = useParams({ strict: false });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => followSignOut(queries), [queries]);
  // On a phone, a new page closes the menu.
  useEffect(close, [path]);
  // Another tab may end the session: then this one leaves at the next focus.
  const { data: me } = useSuspenseQuery(meQuery());
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
            <Text fw={700} component={Link} to="/" c="inherit" td="none" visibleFrom="sm">
              Landfall
            </Text>
            <AppChoice />
          </Group>
          <Group gap={4} wrap="nowrap">
            <SchemeButton />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('pages')}>
        <ScrollArea>
          {appId !== undefined &&
            appPages.map(({ to, name, icon: Icon }) => (
              <NavLink
                key={to}
                renderRoot={(props) => (
                  // The first page of an app is above its other pages.
                  <Link to={to} params={{ appId }} activeOptions={{ exact: to === '/apps/$appId' }} {...props} />
                )}
                label={t(name)}
                leftSection={<Icon size={18} aria-hidden />}
              />
            ))}
          {me.person?.instanceOwner && (
            <>
              <Divider my="xs" label={t('ofInstance')} />
              {instancePages.map(({ to, name, icon: Icon }) => (
                <NavLink
                  key={to}
                  renderRoot={(props) => <Link to={to} activeOptions={{ exact: to === '/instance' }} {...props} />}
                  label={t(name)}
                  leftSection={<Icon size={18} aria-hidden />}
                />
              ))}
            </>
          )}
        </ScrollArea>
      </AppShell.Navbar>
      <Shortcuts appId={appId} />
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function AppChoice() {
  const t = useTranslations('shell');
  const { appId } = useParams({ strict: false });
  const navigate = useNavigate();
  const { data: apps } = useQuery(appsQuery());
  return (
    <Select
      aria-label={t('app')}
      placeholder={t('app')}
      searchable
      w={{ base: 170, sm: 220 }}
      data={apps?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={appId ?? null}
      onChange={(chosen) => chosen && navigate({ to: '/apps/$appId', params: { appId: chosen } })}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

function SchemeButton() {
  const t = useTranslations('shell');
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" onClick={toggleColorScheme} aria-label={t('scheme')}>
      <MoonStar size={18} aria-hidden />
    </ActionIcon>
  );
}

function PersonMenu() {
  const t = useTranslations('shell');
  const { queries } = Route.useRouteContext();
  const tell = useFailureToast();
  const { data: me } = useSuspenseQuery(meQuery());
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('person', { name: me.person?.name ?? '' })}>
          <CircleUserRound size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.person?.email}</Menu.Label>
        <Menu.Item leftSection={<CircleUserRound size={16} aria-hidden />} component={Link} to="/account">
          {t('account')}
        </Menu.Item>
        <Menu.Item leftSection={<BookOpen size={16} aria-hidden />} component="a" href="/docs">
          {t('docs')}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => void signOut(queries).catch(tell)}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
