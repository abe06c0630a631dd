import { useTranslations } from 'use-intl';
import { useFilterNames } from '../analytics/choices/use-filter-names.ts';
import { useNames } from '../analytics/names.ts';
import { type Dimension, filterOf } from '../analytics/view.ts';
import type { Difference } from './entry-words.ts';
import { valueWords } from './field-words.ts';

const NO_VALUE = '–';

/** Returns a function that says the value of a field in the words of its form. */
export function useValueText(differences: readonly Difference[]): (path: string, value: unknown) => string {
  const t = useTranslations('audit');
  const names = useNames();
  const filters = differences.filter(({ path }) => path === FILTER).flatMap(({ from, to }) => [from, to].flat());
  const filterName = useFilterNames(filters.filter(isFilter));

  function one(path: string, value: string): string {
    if (path === FILTER && isFilter(value)) return filterName(value);
    if (path === 'view.cards') return names.of(value as Dimension);
    return valueWords[path]?.[value] ?? value;
  }

  return function textOf(path: string, value: unknown): string {
    if (value === undefined || value === null) return NO_VALUE;
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (Array.isArray(value)) return value.map((inside) => textOf(path, inside)).join(', ') || NO_VALUE;
    return typeof value === 'object' ? JSON.stringify(value) : one(path, String(value));
  };
}

const FILTER = 'view.filter';
const isFilter = (value: unknown): value is string => typeof value === 'string' && filterOf(value) !== null;
