// What several parts of the page of a share need.
import { useFormatter, useTranslations } from 'use-intl';
import { changeOf } from '../parts/analytics/measures.ts';
import type { Answer, Refusal } from './ask.ts';

export type Share = Answer<'/api/share'>['share'];

export function Change(compared: Parameters<typeof changeOf>[0]) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const change = changeOf(compared);
  if (change === null)
    return (
      <span>
        <span aria-hidden>–</span>
        <span className="hidden">{t('noChange')}</span>
      </span>
    );
  if (change === 'new') return <span>{t('new')}</span>;
  const text = format.number(change, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  return <span className={change > 0 ? 'rise' : change < 0 ? 'fall' : undefined}>{text}</span>;
}

/** What stays shown is the last answer, so the reason stands above it. */
export function Failure({ error }: { error: Refusal | undefined }) {
  const t = useTranslations('share');
  if (!error) return null;
  return (
    <p role="alert" className="fault">
      {error.againMs === null ? error.message || t('noAnswer') : t('noAnswerText')}
    </p>
  );
}
