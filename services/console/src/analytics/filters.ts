// Filters of figures as people write them: a dimension, a colon and a value.
import {
  AnalyticsDimension,
  AnalyticsFilter,
  analyticsDimensions,
  FILTER_LENGTH,
  MOST_FILTERS,
  text,
} from '@landfall/contracts';
import { z } from 'zod';

export const DIMENSIONS = `\`${analyticsDimensions.join('`, `')}\`, or \`label:\` with the key of a label`;

/** A filter as it is in a query. Its output is what analytics reads. */
export const filter = () =>
  text(400)
    .transform((given, context): AnalyticsFilter => {
      const [, name = '', value = ''] = /^((?:label:)?[^:]+):(.*)$/s.exec(given) ?? [];
      const filter = AnalyticsFilter.safeParse({ dimension: name, value: value || null });
      if (filter.success) return filter.data;
      const isLong = AnalyticsDimension.safeParse(name).success;
      context.addIssue({
        code: 'custom',
        message: isLong
          ? `must have a value of at most ${FILTER_LENGTH} characters`
          : `must be a dimension, a colon and a value. Dimensions: ${DIMENSIONS}`,
      });
      return z.NEVER;
    })
    .meta({ type: 'string' });

/** Reads filters that {@link filterTexts} has checked. */
export const readFilters = (texts: readonly string[]): AnalyticsFilter[] => z.array(filter()).parse(texts);

/** Filters that are kept, and read later. */
export const filterTexts = () =>
  z
    .array(
      text(400).refine((given) => filter().safeParse(given).success, {
        error: `must be a dimension, a colon and a value. Dimensions: ${DIMENSIONS}`,
      }),
    )
    .max(MOST_FILTERS)
    .default([]);
