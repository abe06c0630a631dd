import { Anchor } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, type ErrorComponentProps, Link, Outlet } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { FailureAlert } from '../parts/page/failure-alert.tsx';
import { OutsidePage } from '../parts/page/outside-page.tsx';

export const Route = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: Failed,
});

function NotFound() {
  const t = useTranslations('notFound');
  return (
    <OutsidePage title={t('title')} intro={t('text')}>
      <Anchor component={Link} to="/">
        {t('home')}
      </Anchor>
    </OutsidePage>
  );
}

/** A page whose code or first data could not be loaded. */
function Failed({ error }: ErrorComponentProps) {
  const t = useTranslations('failure');
  return (
    <OutsidePage title={t('page')}>
      <FailureAlert error={error} />
      <Anchor href={location.href}>{t('reload')}</Anchor>
    </OutsidePage>
  );
}
