// The campaigns and the links with the most taps of the last 30 days, below the figures of an app.
import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { DataTable } from '../../page/data-table.tsx';
import { PageLink } from '../../page/links.tsx';
import { Section, Waiting } from '../../page/page.tsx';
import { RATE } from '../../rate.ts';
import { RATES } from '../measures.ts';
import { OTHERS, useNames } from '../names.ts';
import { cardsQuery } from '../queries.ts';
import { askedOf, filterText, metricsOf } from '../view.ts';
import { shareIn } from './value-table.tsx';

const DIMENSIONS = ['utmCampaign', 'link'] as const;
const ROWS = 5;
/** Taps without a campaign, and the values that have no name of their own. */
const LEFT_OUT = 2;

/** @param children stand below. They come with the tables, so that nothing moves. */
export function Top({ appId, children }: { appId: string; children: ReactNode }) {
  const t = useTranslations('home.top');
  const format = useFormatter();
  const names = useNames();
  const { timeZone } = useApp();
  const metrics = metricsOf('clicks');
  const question = { asked: askedOf({}, timeZone), compare: {}, metrics };
  const { data, isPending } = useQuery(cardsQuery(appId, DIMENSIONS, question, ROWS + LEFT_OUT));
  if (isPending) return <Waiting rows={8} />;
  const rate = RATES[metrics.join(' ')];
  const tables = DIMENSIONS.map((dimension) => {
    const { groups = [] } = data?.breakdowns.find((one) => one.dimension === dimension) ?? {};
    // A link that is gone has no page.
    const isShown = (value: string | null, name: string | null) =>
      value !== null && value !== OTHERS && (dimension !== 'link' || name !== null);
    const rows = groups.flatMap(({ value, ...group }) =>
      isShown(value, group.name) ? [{ ...group, value: value! }] : [],
    );
    return { dimension, rows: rows.slice(0, ROWS) };
  }).filter(({ rows }) => rows.length > 0);
  const percent = (share: number | null) => (share === null ? '–' : format.number(share, RATE));
  return (
    <>
      {tables.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: tables.length }} spacing="md">
          {tables.map(({ dimension, rows }) => (
            <Section key={dimension} title={t(dimension)}>
              <DataTable
                aria-label={t(dimension)}
                t={t}
                rows={rows}
                rowKey="value"
                verticalSpacing={6}
                horizontalSpacing={6}
                columns={{
                  name: {
                    style: { overflowWrap: 'anywhere' },
                    cell: ({ value, name }) => {
                      const shown = <bdi>{names.nameOf(dimension, { value, name })}</bdi>;
                      return dimension === 'link' ? (
                        <PageLink size="sm" to="/apps/$appId/links/$linkId" params={{ appId, linkId: value }}>
                          {shown}
                        </PageLink>
                      ) : (
                        <PageLink
                          size="sm"
                          to="/apps/$appId/analytics"
                          params={{ appId }}
                          search={{ filter: [filterText({ dimension, value })] }}
                        >
                          {shown}
                        </PageLink>
                      );
                    },
                  },
                  clicks: { ta: 'right', w: 70, cell: ({ totals }) => format.number(totals[0] ?? 0) },
                  installs: { ta: 'right', w: 76, cell: ({ totals }) => format.number(totals[1] ?? 0) },
                  rate: { ta: 'right', w: 70, cell: (group) => percent(shareIn(group, rate)) },
                }}
              />
            </Section>
          ))}
        </SimpleGrid>
      )}
      {children}
    </>
  );
}
