import type { AnchorProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { PageLink } from '../page/links.tsx';
import type { RowsView } from './rows.ts';

interface ListThemProps extends Pick<AnchorProps, 'className' | 'underline'> {
  /** The name of the figure. */
  of: string;
  rows: RowsView;
}

/** Leads to the rows that a figure counts. */
export function ListThem({ of, rows, ...look }: ListThemProps) {
  const t = useTranslations('rows');
  const { id: appId } = useApp();
  return (
    <PageLink
      size="xs"
      {...look}
      to="/apps/$appId/events"
      params={{ appId }}
      search={rows}
      aria-label={t('listOf', { figure: of })}
    >
      {t('list')}
    </PageLink>
  );
}
