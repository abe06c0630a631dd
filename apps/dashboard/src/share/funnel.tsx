// The way from the tap to the app. Each step is a part of the one before.
import { useFormatter, useTranslations } from 'use-intl';
import { durationOf } from '../parts/analytics/measures.ts';
import { RATE } from '../parts/rate.ts';
import { type Access, useAnswer } from './ask.ts';
import { Failure } from './pieces.tsx';

type Step = 'clicks' | 'restores' | 'installs' | 'opens';

export function Funnel({ access, query }: { access: Access; query: string }) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const { data, error } = useAnswer('/api/share/funnel', access, query);
  const steps = (data?.groups[0]?.steps ?? []).map((one) => ({
    ...one,
    step: one.step as Step,
    count: one.count ?? 0,
  }));
  const first = steps[0]?.count ?? 0;
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : format.number(part / whole, RATE));
  return (
    <section className="panel" aria-label={t('funnel')} aria-busy={data === undefined && error === undefined}>
      <h2>{t('funnel')}</h2>
      <p>{t('funnelText')}</p>
      <Failure error={error} />
      <ol className="funnel">
        {steps.map(({ step, count, sinceClick }, place) => (
          <li key={step}>
            <div className="step">
              <strong>{t(`steps.${step}.name`)}</strong>
              <span>
                {format.number(count)}
                {place > 0 && ` · ${t('ofStep', { percent: percent(count, steps[place - 1]!.count) })}`}
              </span>
            </div>
            <div className="track">
              <div className="bar" style={{ width: `${first === 0 ? 0 : (100 * count) / first}%` }} />
            </div>
            <p>
              {t(`steps.${step}.text`)}
              {sinceClick && ` ${t('median', { time: durationOf(sinceClick.median) })}`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
