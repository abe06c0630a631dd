// Words for the result of a start of an app.
import { useTranslations } from 'use-intl';

export interface Decided {
  matchType: 'token' | 'email' | 'fingerprint' | 'address' | null;
  outcome: string | null;
}

/** Returns a function that says what a start got: a link and how it was found, or nothing. */
export function useResult(): (decided: Decided) => string {
  const t = useTranslations('restores');
  return ({ matchType, outcome }) =>
    matchType !== null && outcome !== 'lost'
      ? t('found', { how: t(`matchTypes.${matchType}`) })
      : t(`results.${outcome === 'lost' || outcome === 'refused' ? outcome : 'nothing'}`);
}

/** Returns the summary without the word that the result says already. */
export const reasonOf = (summary: string): string => summary.replace(/^nothing: /, '');
