// Words for the result of a start of an app, and for its reason.
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { capital } from '../capital.ts';

export interface Decided {
  matchType: 'token' | 'email' | 'fingerprint' | 'address' | null;
  outcome: string | null;
}

/** Returns a function that says what a start got: a link and how it was found, or nothing. */
export function useResult(): (decided: Decided) => string {
  const t = useTranslations('restores');
  return useCallback(
    ({ matchType, outcome }) =>
      matchType !== null && outcome !== 'lost'
        ? t('found', { how: t(`matchTypes.${matchType}`) })
        : t(`results.${outcome === 'lost' || outcome === 'refused' ? outcome : 'nothing'}`),
    [t],
  );
}

/** Returns the summary without the words that the result says already. */
export const reasonOf = (summary: string): string => summary.replace(/^(nothing|\d+ links? by \w+): /, '');

export interface Explained extends Decided {
  summary: string;
  considered: readonly { taken: boolean; reason: string }[];
  hasAddress?: boolean | null;
}

/** True for a reason such as "… set matching.existingUsers to false". */
export const namesSetting = (summary: string): boolean => summary.includes('matching.');

/** Returns a function that gives the reason of a start, short when it had no tap to consider at its address. */
export function useReason(): (of: Explained) => { said: string; reason: string } {
  const t = useTranslations('restores');
  return ({ summary, considered, outcome, hasAddress }) => {
    const said = considered.find(({ taken }) => taken)?.reason ?? reasonOf(summary);
    const isBare = (outcome === 'untapped' || outcome === 'beyond') && hasAddress === true && !namesSetting(summary);
    return { said, reason: isBare ? t(`bare.${outcome}`) : capital(said) };
  };
}
