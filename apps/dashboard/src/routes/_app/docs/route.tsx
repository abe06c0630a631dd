import { Box, Button, Group, NavLink } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { capital } from '../../../parts/capital.ts';
import classes from '../../../parts/docs/docs.module.css';
import { groups } from '../../../parts/docs/groups.ts';
import { referenceQuery } from '../../../parts/docs/reference.ts';
import { NotFoundPage } from '../../../parts/page/failed-page.tsx';
import { PageButton } from '../../../parts/page/links.tsx';
import { MenuLink } from '../../../parts/shell/menu-link.tsx';

export const Route = createFileRoute('/_app/docs')({ component: Docs, notFoundComponent: NotFoundPage });

/** The documentation is for everyone: it needs no sign-in. Its pages are listed beside the page, on a phone above it. */
function Docs() {
  const t = useTranslations('docs');
  const router = useRouter();
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path]);
  // The text of a guide is no component, so its links are followed here.
  useWindowEvent('click', (event) => {
    const href = guideLink(event);
    if (href === null) return;
    event.preventDefault();
    router.history.push(href);
  });
  return (
    <div className={classes.docs}>
      <Group gap="xs" className={classes.bar}>
        <Button
          variant="default"
          leftSection={<MenuIcon size={16} aria-hidden />}
          aria-expanded={opened}
          aria-controls="docs-pages"
          onClick={toggle}
          hiddenFrom="md"
        >
          {t('menu')}
        </Button>
        <PageButton to="/docs/search" variant="default" leftSection={<Search size={16} aria-hidden />}>
          {t('search')}
        </PageButton>
      </Group>
      <nav id="docs-pages" aria-label={t('pages')} className={classes.pages} data-opened={opened || undefined}>
        <MenuLink to="/docs/api" activeOptions={{ includeSearch: false }} label={t('api')} />
        {path.startsWith('/docs/api') && <ApiGroups />}
        {groups.map(({ name, pages }) => (
          <NavLink key={name} component="button" label={t(`groups.${name}`)} defaultOpened childrenOffset="sm">
            {pages.map(({ slug, title }) => (
              <MenuLink key={slug} to="/docs/$" params={{ _splat: slug }} label={title} />
            ))}
          </NavLink>
        ))}
      </nav>
      <Box miw={0} className={classes.page}>
        <Outlet />
      </Box>
    </div>
  );
}

/** The groups of the API, below its entry. Only pages of the API load them. */
function ApiGroups() {
  const { data } = useQuery(referenceQuery());
  return data?.groups.map(({ tag }) => (
    <MenuLink
      key={tag}
      pl="xl"
      to="/docs/api"
      hash={tag}
      activeOptions={{ includeHash: true, includeSearch: false, exact: true }}
      label={capital(tag)}
    />
  ));
}

/** Returns where a plain click on a link inside of a guide leads, when that is another page of the documentation. */
function guideLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const href = (event.target as Element).closest('.guide a')?.getAttribute('href');
  return href?.startsWith('/docs') ? href : null;
}
