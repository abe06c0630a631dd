// An open share: its figures, its chart, its cards, and what a viewer may choose.
import { firstDay, isDay, PRESETS, type Preset } from '@landfall/api-client/ranges';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { type Named, useNames } from '../parts/analytics/names.ts';
import { type Dimension, filterOf, filterText, type Metric } from '../parts/analytics/view.ts';
import { type Access, type Chosen, queryOf, useAnswer } from './ask.ts';
import { Cards } from './cards.tsx';
import { Chart } from './chart.tsx';
import { Funnel } from './funnel.tsx';
import { AppHeader, Change, Failure, type Share } from './pieces.tsx';

interface SharedProps {
  share: Share;
  access: Access;
}

export function Shared({ share, access }: SharedProps) {
  const t = useTranslations('share');
  const [chosen, setChosen] = useState<Chosen>({ filter: [] });
  const { app, view } = share;
  const query = queryOf(chosen);
  /** What the cards call the values that were pressed, by their filters: only they know the slugs of links. */
  const [pressed, setPressed] = useState<Readonly<Record<string, string>>>({});
  function toggle(filter: string, name?: string): void {
    if (name !== undefined) setPressed((before) => ({ ...before, [filter]: name }));
    setChosen((before) => ({
      ...before,
      filter: before.filter.includes(filter)
        ? before.filter.filter((one) => one !== filter)
        : [...before.filter, filter],
    }));
  }
  return (
    <>
      <AppHeader app={app}>
        <h1>{share.name}</h1>
        <p>{app.name}</p>
      </AppHeader>
      <main>
        <Choices share={share} chosen={chosen} pressed={pressed} onChange={setChosen} onToggle={toggle} />
        <Figures share={share} access={access} query={query} chosen={chosen.filter} />
        {view.cards.length > 0 && (
          <Cards share={share} access={access} query={query} chosen={chosen.filter} onToggle={toggle} />
        )}
        {view.funnel && <Funnel access={access} query={query} />}
      </main>
      <footer>
        {share.expiresAt && <Ends at={share.expiresAt} />} {t('by')}
      </footer>
    </>
  );
}

function Ends({ at }: { at: string }) {
  const t = useTranslations('share');
  const format = useFormatter();
  return <>{t('ends', { time: format.dateTime(new Date(at), { dateStyle: 'medium' }) })}</>;
}

interface ChoicesProps {
  share: Share;
  chosen: Chosen;
  pressed: Readonly<Record<string, string>>;
  onChange: (chosen: Chosen) => void;
  onToggle: (filter: string) => void;
}

/** A share has whole days. */
const SHORTER = PRESETS.filter((preset) => preset !== '24h');
type Shorter = Exclude<Preset, '24h'>;
/** `whole`: the days of the share. */
type Range = Shorter | 'whole' | 'custom';

/** The days and filters of the share, and those of the viewer, who may only see less. */
function Choices({ share, chosen, pressed, onChange, onToggle }: ChoicesProps) {
  const t = useTranslations('share');
  const analytics = useTranslations('analytics');
  const names = useNames();
  const format = useFormatter();
  const said = (day: string) => format.dateTime(new Date(day), { dateStyle: 'medium', timeZone: 'UTC' });
  const { days, filters, narrow, app, view } = share;
  const last = days.to ?? firstDay('today', app.timeZone);
  const nameOf = (dimension: string, named: Named) =>
    analytics('filter', {
      dimension: names.of(dimension as Dimension),
      value: names.nameOf(dimension as Dimension, named),
    });
  const [range, setRange] = useState<Range>('whole');
  const mayChoose = narrow && isDay(days.from) && days.from !== last;
  const whole =
    view.from === null ? analytics(`ranges.${view.range}`) : t('days', { from: said(view.from), to: said(view.to!) });
  const firstOf = (preset: Shorter) => firstDay(preset, app.timeZone);
  const shorter = SHORTER.filter((preset) => days.to === null && firstOf(preset) > days.from);
  function choose(range: Range): void {
    setRange(range);
    const { filter } = chosen;
    if (range === 'whole') onChange({ filter });
    else if (range === 'custom') onChange({ filter, from: days.from, to: last });
    else onChange({ filter, from: firstOf(range) });
  }
  const own = chosen.filter.map((text) => ({ text, ...filterOf(text)! }));
  const fixed = filters.filter(({ dimension }) => !own.some((one) => one.dimension === dimension));
  return (
    <section className="choices" aria-label={t('shown')}>
      {mayChoose && (
        <div className="days">
          <label>
            {analytics('range')}
            <select value={range} onChange={({ currentTarget }) => choose(currentTarget.value as Range)}>
              <option value="whole">{whole}</option>
              {shorter.map((preset) => (
                <option key={preset} value={preset}>
                  {analytics(`ranges.${preset}`)}
                </option>
              ))}
              <option value="custom">{analytics('ranges.custom')}</option>
            </select>
          </label>
          {range === 'custom' &&
            (['from', 'to'] as const).map((end) => (
              <label key={end}>
                {analytics(end)}
                <input
                  type="date"
                  min={end === 'to' ? (chosen.from ?? days.from) : days.from}
                  max={end === 'from' ? (chosen.to ?? last) : last}
                  value={chosen[end] ?? (end === 'from' ? days.from : last)}
                  onChange={({ currentTarget }) =>
                    currentTarget.validity.valid &&
                    currentTarget.value !== '' &&
                    onChange({ ...chosen, [end]: currentTarget.value })
                  }
                />
              </label>
            ))}
        </div>
      )}
      <p>
        {[
          isDay(days.from) ? t('days', { from: said(chosen.from ?? days.from), to: said(chosen.to ?? last) }) : whole,
          analytics('zone', { timeZone: app.timeZone }),
          view.compare !== null && t(`against.${view.compare}`),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {filters.length + own.length > 0 && (
        <ul className="filters" aria-label={analytics('filters')}>
          {fixed.map((one) => (
            <li key={filterText(one as never)}>{nameOf(one.dimension, one)}</li>
          ))}
          {own.map(({ text, dimension }) => {
            const label = analytics('filter', { dimension: names.of(dimension), value: pressed[text] ?? '' });
            return (
              <li key={text}>
                {label}
                <button
                  type="button"
                  aria-label={analytics('removeFilter', { filter: label })}
                  onClick={() => onToggle(text)}
                >
                  ×
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

interface FiguresProps {
  share: Share;
  access: Access;
  query: string;
  chosen: readonly string[];
}

function Figures({ share: { view, filters }, access, query, chosen }: FiguresProps) {
  const t = useTranslations('analytics');
  const names = useNames();
  const filter = [...filters.map((one) => filterText(one as never)), ...chosen];
  const lackOf = (metric: Metric) => names.lackOf(metric, filter) ?? t('notCounted');
  const format = useFormatter();
  const { data, error } = useAnswer('/api/share/figures', access, query);
  const of = (metric: string) => data?.figures.find((one) => one.metric === metric);
  const metric = view.metric as Metric;
  const chart = of(metric)?.figures;
  const before = t(`periods.${view.compare ?? 'previous'}`);
  return (
    <>
      <Failure error={error} />
      {view.figures.length > 0 && (
        <div className="figures" aria-busy={data === undefined}>
          {(view.figures as Metric[]).map((one) => {
            const found = of(one);
            return (
              <div key={one} className="figure">
                <h2>{t(`metrics.${one}`)}</h2>
                {found?.figures === null ? (
                  <p>{lackOf(one)}</p>
                ) : (
                  <p className="total">
                    {found ? format.number(found.figures.total) : ' '}{' '}
                    {found?.figures.previous && (
                      <Change
                        now={found.figures.total}
                        before={found.figures.previous.total}
                        complete={found.figures.previous.complete}
                      />
                    )}
                  </p>
                )}
                <p>{t(`explained.${one}`)}</p>
              </div>
            );
          })}
        </div>
      )}
      <section className="panel chart-panel" aria-busy={data === undefined}>
        {chart && (
          <>
            <h2>{t('total', { metric: t(`metrics.${metric}`), total: format.number(chart.total) })}</h2>
            {chart.previous && <p>{t('before', { total: format.number(chart.previous.total), before })}</p>}
            <Chart
              figures={chart}
              name={t(`metrics.${metric}`)}
              label={t('total', { metric: t(`metrics.${metric}`), total: format.number(chart.total) })}
              before={before}
            />
            {chart.completeFrom !== null && chart.completeFrom > chart.from && (
              <p>
                {t('completeFrom', { time: format.dateTime(new Date(chart.completeFrom), { dateStyle: 'medium' }) })}
              </p>
            )}
          </>
        )}
        {chart === null && <p>{lackOf(metric)}</p>}
      </section>
    </>
  );
}
