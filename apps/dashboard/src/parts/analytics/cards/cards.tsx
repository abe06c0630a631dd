// A card for each dimension that the chosen figure has.
import { Button, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { FailureAlert, Section, Waiting } from '../../page/page.tsx';
import classes from '../analytics.module.css';
import { useNames } from '../names.ts';
import { type CardQuestion, type CardsAnswer, cardsQuery } from '../queries.ts';
import { type Dimension, dimensionsOf, filterOf, filterText, type Order, type View } from '../view.ts';
import { ValueTable } from './value-table.tsx';

const AllValues = lazyRouteComponent(() => import('./all-values.tsx'), 'AllValues');

const ROWS = 6;
/** Pixels of a card with all of its rows, so that little moves when they are there. */
const CARD_HEIGHT = 330;

export interface CardsProps {
  view: View;
  question: CardQuestion;
  all: Dimension | undefined;
  onAll: (dimension: Dimension | undefined, order?: Order) => void;
  onFilter: (filter: string[]) => void;
}

export function Cards({ view, question, all, onAll, onFilter }: CardsProps) {
  const t = useTranslations('analytics');
  const names = useNames();
  const { id: appId, labels } = useApp();
  const [metric] = question.metrics;
  const dimensions = dimensionsOf(metric, labels);
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
        {dimensions.map((dimension) => (
          <Card
            key={dimension}
            dimension={dimension}
            view={view}
            found={data}
            chosen={chosen(dimension)}
            onChoose={toggle(dimension)}
            onAll={(order) => onAll(dimension, order)}
          />
        ))}
      </SimpleGrid>
      {all !== undefined && dimensions.includes(all) && (
        <Suspense>
          <AllValues
            dimension={all}
            view={view}
            order={view.order}
            onOrder={(order) => onAll(all, order)}
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

interface CardProps {
  dimension: Dimension;
  view: View;
  /** Left out: the answer is not there yet. */
  found: CardsAnswer | undefined;
  chosen: ReadonlySet<string | null>;
  onChoose: (value: string | null) => void;
  onAll: (order?: Order) => void;
}

/** A card that shows all of its values is sorted in place. Else the window with all of them is. */
function Card({ dimension, view, found, chosen, onChoose, onAll }: CardProps) {
  const t = useTranslations('analytics');
  const names = useNames();
  const [order, setOrder] = useState<Order>();
  const breakdown = found?.breakdowns.find((one) => one.dimension === dimension);
  const isWhole = breakdown === undefined || breakdown.groupCount <= ROWS;
  return (
    <Section
      title={names.of(dimension)}
      mih={breakdown === undefined ? CARD_HEIGHT : 0}
      actions={
        !isWhole && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('showAllOf', { dimension: names.of(dimension), count: breakdown.groupCount })}
            onClick={() => onAll()}
          >
            {t('showAll', { count: breakdown.groupCount })}
          </Button>
        )
      }
    >
      {breakdown === undefined || found === undefined ? (
        <Waiting rows={ROWS} />
      ) : (
        <>
          <ValueTable
            dimension={dimension}
            view={view}
            order={isWhole ? order : undefined}
            onOrder={isWhole ? setOrder : onAll}
            breakdown={breakdown}
            found={found}
            chosen={chosen}
            onChoose={onChoose}
          />
          <Known completeFrom={breakdown.completeFrom} from={found.from} />
        </>
      )}
    </Section>
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
