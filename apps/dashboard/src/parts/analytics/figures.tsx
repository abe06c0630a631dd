// How many of each thing happened to an app, or to one of its links, in the last 30 days.
import { Card, type CardProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { api, askEvery } from '../../api/index.ts';
import { Loaded } from '../page/page.tsx';
import type { Metric } from './view.ts';

/** Those of an app come with the 30 days before. */
export const figuresOf = (appId: string, metric: Metric, linkId?: string) => {
  const of = linkId === undefined ? { compare: 'previous' as const } : { filter: [`link:${linkId}`] };
  return api.queryOptions(
    'get',
    '/api/manage/apps/{appId}/analytics',
    { params: { path: { appId }, query: { metric, ...of } } },
    { refetchInterval: askEvery(30_000) },
  );
};

interface FigureProps extends Pick<CardProps, 'mih'> {
  name: string;
  of: ReturnType<typeof figuresOf>;
}

export function Figure({ name, of, mih }: FigureProps) {
  const t = useTranslations('home');
  const format = useFormatter();
  return (
    <Card withBorder padding="md" mih={mih}>
      <Text>{name}</Text>
      <Loaded query={useQuery(of)} rows={2}>
        {({ total, previous }) => (
          <>
            <Text size="xl" fw={700}>
              {format.number(total)}
            </Text>
            {previous && <Text size="xs">{t('before', { total: format.number(previous.total) })}</Text>}
          </>
        )}
      </Loaded>
    </Card>
  );
}
