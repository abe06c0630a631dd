// A card for each dimension that the chosen figure has.
import { Button, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { FailureAlert, Section, Waiting } from '../../page/page.tsx';
import classes from '../analytics.module.css';
import { useNames } from '../names.ts';
import { type CardQuestion, cardsQuery } from '../queries.ts';
import { DIMENSIONS, type Dimension, filterOf, filterText, has, type View } from '../view.ts';
import { ValueTable } from './value-table.tsx';

const AllValues = lazyRouteComponent(() => import('./all-values.tsx'), 'AllValues');

const ROWS = 6;
/** Pixels of a card with all of its rows, so that nothing moves when they are there. With one column, it is as high as they are. */
const CARD_HEIGHT = 356;

export interface CardsProps {
  view: View;
  question: CardQuestion;
  all: Dimension | undefined;
  onAll: (dimension: Dimension | undefined, order?: 'rate') => void;
  onFilter: (filter: string[]) => void;
}

export function Cards({ view, question, all, onAll, onFilter }: CardsProps) {
  const t = useTranslations('analytics');
  const names = useNames();
  const { id: appId, labels } = useApp();
  const [metric] = question.metrics;
  const dimensions = [...DIMENSIONS, ...labels.map((label) => `label:${label}` as const)].filter((dimension) =>
    has(metric, dimension),
  );
  const { data, error, isPlaceholderData } = useQuery(cardsQuery(appId, dimensions, question, ROWS));
  const { filter } = question.asked;
  const toggle = (dimension: Dimension) => (value: string | null) => {
    const text = filterText({ dimension, value });
    onFilter(filter.includes(text) ? filter.filter((one) => one !== text) : [...filter, text]);
  };
  const chosen = (dimension: Dimension) =>
    new Set(
      filter
        .map((one) => filterOf(one)!)
        .filter((one) => one.dimension === dimension)
        .map(({ value }) => value),
    );
  const lack = names.lackOf(metric, filter);
  if (lack !== null)
    return (
      <Text size="md">
        {lack} {t('cardsLack')}
      </Text>
    );
  if (error && data === undefined) return <FailureAlert error={error} asksAgain />;
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" aria-busy={isPlaceholderData} className={classes.old!}>
        {dimensions.map((dimension) => {
          const found = data?.breakdowns.find((one) => one.dimension === dimension);
          return (
            <Section
              key={dimension}
              title={names.of(dimension)}
              mih={found === undefined ? CARD_HEIGHT : { base: 0, md: CARD_HEIGHT }}
              actions={
                found !== undefined &&
                found.groupCount > ROWS && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('showAllOf', { dimension: names.of(dimension), count: found.groupCount })}
                    onClick={() => onAll(dimension)}
                  >
                    {t('showAll', { count: found.groupCount })}
                  </Button>
                )
              }
            >
              {found === undefined || data === undefined ? (
                <Waiting rows={ROWS} />
              ) : (
                <>
                  <ValueTable
                    dimension={dimension}
                    view={view}
                    byRate={false}
                    onOrder={() => onAll(dimension, 'rate')}
                    breakdown={found}
                    found={data}
                    chosen={chosen(dimension)}
                    onChoose={toggle(dimension)}
                  />
                  <Known completeFrom={found.completeFrom} from={data.from} />
                </>
              )}
            </Section>
          );
        })}
      </SimpleGrid>
      {all !== undefined && dimensions.includes(all) && (
        <Suspense>
          <AllValues
            dimension={all}
            view={view}
            byRate={view.order === 'rate'}
            onOrder={() => onAll(all, view.order === 'rate' ? undefined : 'rate')}
            question={question}
            chosen={chosen(all)}
            onChoose={(value) => {
              toggle(all)(value);
              onAll(undefined);
            }}
            onClose={() => onAll(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Some figures are read from single events, which are kept for a limited time. */
function Known({ completeFrom, from }: { completeFrom: string | null; from: string }) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  if (completeFrom === null || completeFrom <= from) return null;
  return (
    <Text size="xs">{t('knownFrom', { time: format.dateTime(new Date(completeFrom), { dateStyle: 'medium' }) })}</Text>
  );
}
