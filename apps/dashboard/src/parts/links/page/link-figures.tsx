// The figures of one link, with the cards of analytics. A row of a card leads to analytics.

import { daysOf, PRESETS, type Preset } from '@landfall/api-client/ranges';
import { Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { ValueTable } from '../../analytics/cards/value-table.tsx';
import { Headline } from '../../analytics/headline.tsx';
import { useNames } from '../../analytics/names.ts';
import { cardsQuery, figureQuery } from '../../analytics/queries.ts';
import { askedOf, type Dimension, filterText, type Metric } from '../../analytics/view.ts';
import { Lines } from '../../lines.tsx';
import { PageLink } from '../../page/links.tsx';
import { Loaded, Section } from '../../page/page.tsx';

const DIMENSIONS: readonly Dimension[] = ['utmCampaign', 'country', 'platform', 'referrer'];
const ROWS = 6;
const NONE: ReadonlySet<string | null> = new Set();

interface LinkFiguresProps {
  linkId: string;
  range: Preset;
  onRange: (range: Preset) => void;
}

export function LinkFigures({ linkId, range, onRange }: LinkFiguresProps) {
  const t = useTranslations('link');
  const analytics = useTranslations('analytics');
  const names = useNames();
  const navigate = useNavigate();
  const { id: appId, timeZone } = useApp();
  const [metric, setMetric] = useState<Metric>('clicks');
  const filter = [filterText({ dimension: 'link', value: linkId })];
  const asked = askedOf({ range, filter }, timeZone);
  const compare = { compare: 'previous' } as const;
  const question = { asked, compare, interval: daysOf({ range }, timeZone).interval };
  const { data: figures } = useQuery(figureQuery(appId, metric, question));
  const cards = useQuery(
    cardsQuery(appId, DIMENSIONS, { asked, compare, metrics: ['clicks', 'attributedInstalls'] }, ROWS),
  );
  const name = analytics(`metrics.${metric}`);
  return (
    <Section
      title={t('figures')}
      actions={
        <Group gap="sm">
          <Select
            aria-label={analytics('range')}
            w={160}
            data={PRESETS.map((value) => ({ value, label: analytics(`ranges.${value}`) }))}
            value={range}
            onChange={(value) => onRange(value as Preset)}
          />
          <PageLink size="sm" to="/apps/$appId/analytics" params={{ appId }} search={{ range, filter }}>
            {t('analytics')}
          </PageLink>
        </Group>
      }
    >
      <Headline {...question} view={{ range, filter }} metric={metric} onMetric={setMetric} />
      <Lines
        figures={figures}
        name={name}
        label={analytics('total', { metric: name, total: `${figures?.total ?? 0}` })}
        before={analytics('periods.previous')}
      />
      <Loaded query={cards} rows={ROWS}>
        {(found) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {found.breakdowns.map((breakdown) => {
              const dimension = breakdown.dimension as Dimension;
              return (
                <Stack key={dimension} gap={4}>
                  <Group justify="space-between">
                    <Text fw={600}>{names.of(dimension)}</Text>
                    {breakdown.groupCount > ROWS && (
                      <PageLink
                        size="sm"
                        to="/apps/$appId/analytics"
                        params={{ appId }}
                        search={{ range, filter, all: dimension }}
                        aria-label={analytics('showAllOf', {
                          dimension: names.of(dimension),
                          count: breakdown.groupCount,
                        })}
                      >
                        {analytics('showAll', { count: breakdown.groupCount })}
                      </PageLink>
                    )}
                  </Group>
                  <ValueTable
                    dimension={dimension}
                    view={{ range, filter }}
                    onOrder={(order) =>
                      void navigate({
                        to: '/apps/$appId/analytics',
                        params: { appId },
                        search: { range, filter, all: dimension, order },
                      })
                    }
                    breakdown={breakdown}
                    found={found}
                    chosen={NONE}
                    onChoose={(value) =>
                      void navigate({
                        to: '/apps/$appId/analytics',
                        params: { appId },
                        search: { range, filter: [...filter, filterText({ dimension, value })] },
                      })
                    }
                  />
                </Stack>
              );
            })}
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  );
}
