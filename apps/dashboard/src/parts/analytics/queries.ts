import type { paths } from '@landfall/api-client';
import type { Interval } from '@landfall/api-client/ranges';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/index.ts';
import { type Asked, type CardMetric, type Dimension, filterOf, has, type Metric } from './view.ts';

export interface FigureQuestion {
  asked: Asked;
  compare: { compare?: 'previous' | 'month' | 'year' };
  interval: Interval;
}

/** The figure of a step and the lines of the chart are one question. */
export const figureQuery = (appId: string, metric: Metric, { asked, compare, interval }: FigureQuestion) =>
  api.queryOptions(
    'get',
    '/api/manage/apps/{appId}/analytics',
    { params: { path: { appId }, query: { metric, ...asked, ...compare, interval } } },
    { placeholderData: keepPreviousData, enabled: knowsFilters(metric, asked) },
  );

/** A figure without the dimension of a filter has no answer. */
export const knowsFilters = (metric: Metric, { filter }: Asked): boolean =>
  filter.every((one) => has(metric, filterOf(one)!.dimension));

export interface CardQuestion extends Omit<FigureQuestion, 'interval'> {
  metrics: readonly [CardMetric, ...CardMetric[]];
}

export type CardsAnswer =
  paths['/api/manage/apps/{appId}/analytics/breakdowns']['get']['responses'][200]['content']['application/json'];

/** The most values of a dimension that an answer may have. */
export const MOST_VALUES = 1_000;

export const cardsQuery = (appId: string, dimensions: readonly Dimension[], question: CardQuestion, limit: number) =>
  api.queryOptions(
    'get',
    '/api/manage/apps/{appId}/analytics/breakdowns',
    {
      params: {
        path: { appId },
        query: {
          ...question.asked,
          ...question.compare,
          metric: [...question.metrics],
          dimension: [...dimensions],
          limit,
        },
      },
    },
    { placeholderData: keepPreviousData, enabled: knowsFilters(question.metrics[0], question.asked) },
  );

export function csvOf(appId: string, dimension: Dimension, { asked, compare, metrics }: CardQuestion): string {
  const { filter, ...rest } = asked;
  const parameters = new URLSearchParams({ ...rest, ...compare, dimension, limit: '1000' });
  for (const metric of metrics) parameters.append('metric', metric);
  for (const one of filter) parameters.append('filter', one);
  return `/api/manage/apps/${appId}/analytics/breakdowns/export?${parameters}`;
}
