// The steps of a person's way as figures. A chosen one is in the chart, and orders the cards.
import { Group, SimpleGrid, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { hasCode, useApp } from '../../api/index.ts';
import { FailureAlert } from '../page/page.tsx';
import classes from './analytics.module.css';
import { Change } from './change.tsx';
import { ListThem } from './list-them.tsx';
import { useNames } from './names.ts';
import { type FigureQuestion, figureQuery } from './queries.ts';
import { rowsOf } from './rows.ts';
import { type CardMetric, type Metric, STEPS, type View } from './view.ts';

interface HeadlineProps extends FigureQuestion {
  view: View;
  metric: Metric;
  onMetric: (metric: Metric) => void;
}

export function Headline({ metric, onMetric, view, ...question }: HeadlineProps) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {STEPS.map((step) => (
        <Step
          key={step}
          step={step}
          view={view}
          question={question}
          chosen={step === metric}
          onChoose={() => onMetric(step)}
        />
      ))}
    </SimpleGrid>
  );
}

interface StepProps {
  step: CardMetric;
  view: View;
  question: FigureQuestion;
  chosen: boolean;
  onChoose: () => void;
}

function Step({ step, view, question, chosen, onChoose }: StepProps) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const names = useNames();
  const { id: appId } = useApp();
  const { data, error, isPlaceholderData } = useQuery(figureQuery(appId, step, question));
  const lack = names.lackOf(step, question.asked.filter);
  if (error && !hasCode(error, 'DIMENSION_UNKNOWN')) return <FailureAlert error={error} asksAgain />;
  return (
    <div className={classes.stepBox!}>
      <UnstyledButton className={classes.step!} aria-pressed={chosen} aria-busy={isPlaceholderData} onClick={onChoose}>
        <Text fw={600}>{t(`metrics.${step}`)}</Text>
        {lack !== null ? (
          <Text size="xs">{lack}</Text>
        ) : data === undefined ? (
          <Skeleton height={24} my={8} aria-busy />
        ) : (
          <Group gap={6} align="baseline">
            <Text size="xl" fw={700}>
              {format.number(data.total)}
            </Text>
            {data.previous && (
              <Change now={data.total} before={data.previous.total} complete={data.previous.complete} />
            )}
          </Group>
        )}
        <Text size="xs">{t(`explained.${step}`)}</Text>
      </UnstyledButton>
      {lack === null && <ListThem className={classes.rows!} of={t(`metrics.${step}`)} rows={rowsOf(view, step)} />}
    </div>
  );
}
