import { Button, Progress, Select, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { api, hasCode, useApp } from '../../api/index.ts';
import { DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { DIMENSIONS, type Dimension, isLabel, type Metric, type Range } from './view.ts';

export interface BreakdownProps {
  metric: Metric;
  range: Range;
  by: Dimension;
  compare: boolean;
  onBy: (dimension: Dimension) => void;
  onFilter: (dimension: Dimension, value: string | null) => void;
}

/** Most links and taps have no campaign, no label and no referrer. Everything else they have, known or not. */
const mayBeMissing = (by: Dimension): boolean =>
  by.startsWith('utm') || isLabel(by) || by === 'referrer' || by === 'inAppBrowser';

/** The values of a dimension with the greatest figures. A click on one filters the page by it. */
export function Breakdown({ metric, range, by, compare, onBy, onFilter }: BreakdownProps) {
  const t = useTranslations('analytics');
  const { id: appId, labels } = useApp();
  const format = useFormatter();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics', {
    params: {
      path: { appId },
      query: { metric, ...range, groupBy: by, interval: 'total', limit: 20, ...(compare && { compare: 'previous' }) },
    },
  });
  const nameOf = (dimension: Dimension) => (isLabel(dimension) ? dimension.slice(6) : t(`dimensions.${dimension}`));
  const noValue = t(mayBeMissing(by) ? 'none' : 'unknown');
  // Some metrics do not have all dimensions.
  const isUnknown = hasCode(query.error, 'DIMENSION_UNKNOWN');
  return (
    <Section
      title={t('breakdown', { metric: t(`metrics.${metric}`) })}
      actions={
        <Select
          aria-label={t('dimension')}
          data={[...DIMENSIONS, ...labels.map((label) => `label:${label}` as const)].map((value) => ({
            value,
            label: nameOf(value),
          }))}
          value={by}
          onChange={(value) => value && onBy(value as Dimension)}
        />
      }
    >
      {isUnknown && <Text size="md">{t('noDimension')}</Text>}
      {!isUnknown && (
        <Loaded query={query}>
          {({ groups, other, total }) => (
            <DataTable
              t={t}
              verticalSpacing={6}
              minWidth={420}
              rows={[...(groups ?? []), ...(other && other.groups > 0 ? [other] : [])]}
              rowKey={(row) => ('groups' in row ? '' : JSON.stringify(row.value))}
              empty={t('empty')}
              columns={{
                dimension: {
                  heading: nameOf(by),
                  cell: (row) =>
                    'groups' in row ? (
                      t('others', { count: row.groups })
                    ) : (
                      <Button
                        size="compact-sm"
                        variant="transparent"
                        px={0}
                        h="auto"
                        ta="left"
                        styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', overflow: 'visible' } }}
                        onClick={() => onFilter(by, row.value)}
                      >
                        {row.name ?? row.value ?? noValue}
                      </Button>
                    ),
                },
                metric: { heading: t(`metrics.${metric}`), ta: 'right', cell: (row) => format.number(row.total) },
                previous: compare && {
                  ta: 'right',
                  cell: (row) => !('groups' in row) && format.number(row.previousTotal ?? 0),
                },
                share: {
                  w: '35%',
                  cell: (row) =>
                    !('groups' in row) && (
                      <Progress
                        value={total === 0 ? 0 : (100 * row.total) / total}
                        aria-label={t('shareOf', { value: row.name ?? row.value ?? noValue })}
                      />
                    ),
                },
              }}
            />
          )}
        </Loaded>
      )}
    </Section>
  );
}
