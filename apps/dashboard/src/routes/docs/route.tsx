import { guides } from 'virtual:guides';
import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { createFileRoute, Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { PageButton, PageLink } from '../../parts/page/links.tsx';
import { MenuLink } from '../../parts/shell/menu-link.tsx';
import { SchemeButton } from '../../parts/shell/scheme-button.tsx';

export const Route = createFileRoute('/docs')({ component: Docs });

/** The documentation is for everyone: it needs no sign-in. */
function Docs() {
  const t = useTranslations('docs');
  const router = useRouter();
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On a phone, a new page closes the menu.
  useEffect(close, [path]);
  useHotkeys([['/', () => void router.navigate({ to: '/docs/search' })]]);
  // The text of a guide is no component, so its links are followed here.
  useWindowEvent('click', (event) => {
    const href = guideLink(event);
    if (href === null) return;
    event.preventDefault();
    router.history.push(href);
  });
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 260, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Text size="md" fw={700} component={Link} to="/docs" c="inherit" td="none">
              {t('name')}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PageButton to="/docs/search" variant="default" leftSection={<Search size={16} aria-hidden />}>
              {t('search')}
            </PageButton>
            <SchemeButton />
            <PageLink to="/" visibleFrom="sm">
              {t('openApp')}
            </PageLink>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('pages')} style={{ overflowY: 'auto' }}>
        <MenuLink to="/docs/api" activeOptions={{ includeSearch: false }} label={t('api')} />
        {(['guides', 'clients', 'operations', 'reference', 'explanation'] as const).map((section) => (
          <NavLink key={section} component="button" label={t(`sections.${section}`)} defaultOpened childrenOffset="sm">
            {guides
              .filter((guide) => guide.section === section)
              .map(({ slug, title }) => (
                <MenuLink key={slug} to="/docs/$" params={{ _splat: slug }} label={title} />
              ))}
          </NavLink>
        ))}
        <MenuLink to="/" label={t('openApp')} hiddenFrom="sm" mt="sm" />
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** Returns where a plain click on a link inside of a guide leads, when that is another page of the documentation. */
function guideLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const href = (event.target as Element).closest('.guide a')?.getAttribute('href');
  return href?.startsWith('/docs') ? href : null;
}
