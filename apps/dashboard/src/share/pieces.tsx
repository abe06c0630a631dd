// What several parts of the page of a share need.
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { changeOf } from '../parts/analytics/measures.ts';
import classes from '../parts/hidden.module.css';
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
        <span className={classes.hidden}>{t('noChange')}</span>
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

/** The colour and the logo of the app. */
export function AppHeader({ app, children }: { app: Pick<Share['app'], 'color' | 'logo'>; children: ReactNode }) {
  return (
    <header style={app.color ? { borderColor: app.color } : undefined}>
      {app.logo && <img src={`/logos/${app.logo}.png`} width={40} height={40} alt="" />}
      <div>{children}</div>
    </header>
  );
}
