// The words for the values of dimensions.

import { useTranslations } from 'use-intl';
import { shortId } from '../short-id.ts';
import { type Dimension, filterOf, has, isLabel, type Metric } from './view.ts';

export interface Named {
  value: string | null;
  /** The name of a link. */
  name?: string | null | undefined;
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** The counts of a day have no room for more values than 1,000: the others have this name. */
export const OTHERS = '(other)';
const PLATFORMS = ['ios', 'android', 'desktop', 'unknown'] as const;
const WAYS = ['link', 'qr', 'banner'] as const;
const MATCHES = ['token', 'email', 'fingerprint', 'address'] as const;

/** Most taps have no campaign, no label and no referrer. Everything else they have, known or not. */
const mayBeMissing = (dimension: Dimension): boolean =>
  dimension.startsWith('utm') || isLabel(dimension) || dimension === 'referrer' || dimension === 'inAppBrowser';

/** Returns functions for the name of a dimension and of one of its values. */
export function useNames() {
  const t = useTranslations('analytics');
  const among = <T extends string>(values: readonly T[], value: string): T | undefined =>
    values.find((one) => one === value);

  function nameOf(dimension: Dimension, { value, name }: Named): string {
    if (value === null) return t(mayBeMissing(dimension) ? 'none' : 'unknown');
    if (value === OTHERS) return t('otherValues');
    if (dimension === 'link') return name ?? t('goneLink', { id: shortId(value) });
    if (dimension === 'country') return codeOr(regions, value, /^[A-Z]{2}$/);
    if (dimension === 'language') return codeOr(languages, value, /^[a-z]{2,3}$/i);
    const platform = dimension === 'platform' && among(PLATFORMS, value);
    if (platform) return t(`platforms.${platform}`);
    const way = dimension === 'via' && among(WAYS, value);
    if (way) return t(`ways.${way}`);
    const match = dimension === 'matchType' && among(MATCHES, value);
    return match ? t(`matches.${match}`) : value;
  }

  const of = (dimension: Dimension): string =>
    isLabel(dimension) ? t('label', { label: dimension.slice(6) }) : t(`dimensions.${dimension}`);

  /** Says why a figure is not known with these filters. Null: it is. */
  function lackOf(metric: Metric, filter: readonly string[]): string | null {
    const lacking = filter.map(filterOf).find((one) => one && !has(metric, one.dimension));
    if (!lacking) return null;
    const dimension = of(lacking.dimension);
    return metric === 'opens'
      ? t('opensLack', { dimension })
      : t('lacks', { metric: t(`metrics.${metric}`), dimension });
  }

  return { of, nameOf, lackOf };
}

const codeOr = (names: Intl.DisplayNames, code: string, form: RegExp): string =>
  form.test(code) ? (names.of(code) ?? code) : code;

const FIRST_LETTER = 0x1f1e6;

/** Returns the flag of a country as two letters of Unicode, or null. */
export const flagOf = (dimension: Dimension, value: string | null): string | null =>
  dimension === 'country' && value !== null && /^[A-Z]{2}$/.test(value)
    ? String.fromCodePoint(...[...value].map((letter) => FIRST_LETTER + letter.charCodeAt(0) - 65))
    : null;
