import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { AGAIN_MS, ApiFailure, hasCode, isOutage, meQuery } from '../../api/index.ts';
import { FailureAlert, InFrame, OutsidePage } from './page.tsx';

/** A page whose first data could not be loaded. In an outage it tries again until there is an answer. */
export function FailedPage({ error }: ErrorComponentProps) {
  const t = useTranslations('failure');
  const isInFrame = useContext(InFrame);
  // What is known already: a page that failed asks for nothing more.
  const { data: me } = useQuery({ ...meQuery(), enabled: false });
  useEffect(() => {
    if (!isOutage(error)) return;
    const again = setTimeout(() => location.reload(), AGAIN_MS);
    return () => clearTimeout(again);
  }, [error]);
  // Without a role for a thing, the API says that there is none.
  if (error instanceof ApiFailure && error.status === 404) return <NotFoundPage />;
  // The frame says it above the page, with the same link, unless the team has asked for it since this page was opened.
  const isSaid = isInFrame && me?.teams.some(({ closed }) => closed);
  if (isSaid && hasCode(error, 'SECOND_FACTOR_NEEDED'))
    return (
      <OutsidePage title={t('secondFactorFirst')}>
        <Anchor href={location.href}>{t('reload')}</Anchor>
      </OutsidePage>
    );
  return (
    <OutsidePage title={t('page')}>
      <FailureAlert error={error} asksAgain />
      {hasCode(error, 'SECOND_FACTOR_NEEDED') && <Anchor href="/account">{t('secondFactor')}</Anchor>}
      <Anchor href={location.href}>{t('reload')}</Anchor>
    </OutsidePage>
  );
}

export function NotFoundPage() {
  const t = useTranslations('notFound');
  return (
    <OutsidePage title={t('title')} intro={t('text')}>
      <Anchor component={Link} to="/">
        {t('home')}
      </Anchor>
    </OutsidePage>
  );
}
