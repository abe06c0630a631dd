// How many of each thing happened to an app, with the change.
import { Card, type CardProps, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, askEvery } from '../../api/index.ts';
import { Loaded } from '../page/page.tsx';
import { Change } from './change.tsx';
import type { Metric } from './view.ts';

/** Of the last 30 days, with those of the 30 days before. */
export const figuresOf = (appId: string, metric: Metric) =>
  api.queryOptions(
    'get',
    '/api/manage/apps/{appId}/analytics',
    { params: { path: { appId }, query: { metric, compare: 'previous' } } },
    { refetchInterval: askEvery(30_000) },
  );

interface FigureProps extends Pick<CardProps, 'mih'> {
  name: ReactNode;
  of: ReturnType<typeof figuresOf>;
  /** The way to the rows that are counted. */
  rows?: ReactNode;
}

export function Figure({ name, of, mih, rows }: FigureProps) {
  const t = useTranslations('home');
  const format = useFormatter();
  return (
    <Card withBorder padding="md" mih={mih}>
      <Text component="div">{name}</Text>
      <Loaded query={useQuery(of)} rows={2}>
        {({ total, previous }) => (
          <>
            <Text size="xl" fw={700}>
              {format.number(total)}
            </Text>
            {previous && (
              // In a narrow place the sentence has a line of its own.
              <Group gap="0 6px" fz="xs">
                <Change now={total} before={previous.total} complete={previous.complete} />
                <span>{t('before', { total: format.number(previous.total) })}</span>
              </Group>
            )}
          </>
        )}
      </Loaded>
      {rows}
    </Card>
  );
}
