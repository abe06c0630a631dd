// The cards of a share: the values of each dimension. A value that is pressed is a filter, if viewers may narrow.
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { RATES } from '../parts/analytics/measures.ts';
import { flagOf, OTHERS, useNames } from '../parts/analytics/names.ts';
import { type Dimension, filterText, type Metric } from '../parts/analytics/view.ts';
import classes from '../parts/hidden.module.css';
import { RATE } from '../parts/rate.ts';
import { type Access, type Answer, send, useAnswer } from './ask.ts';
import { Change, Failure, type Share } from './pieces.tsx';

const ROWS = 6;

interface CardsProps {
  share: Share;
  access: Access;
  query: string;
  chosen: readonly string[];
  onToggle: (filter: string, name: string) => void;
}

type Found = Answer<'/api/share/cards'>;
type Breakdown = Found['breakdowns'][number];
type Group = Breakdown['groups'][number];

export function Cards(props: CardsProps) {
  const names = useNames();
  const { share, access, query } = props;
  const { data, error } = useAnswer('/api/share/cards', access, query);
  return (
    <>
      <Failure error={error} />
      <div className="cards">
        {share.view.cards.map((dimension) => {
          const found = data?.breakdowns.find((one) => one.dimension === dimension);
          const name = names.of(dimension as Dimension);
          return (
            <section key={dimension} className="panel card" aria-label={name} aria-busy={found === undefined}>
              <h2>{name}</h2>
              {data && found && <Values {...props} breakdown={found} found={data} dimension={dimension as Dimension} />}
            </section>
          );
        })}
      </div>
    </>
  );
}

interface ValuesProps extends CardsProps {
  breakdown: Breakdown;
  found: Found;
  dimension: Dimension;
}

function Values({ share, access, query, chosen, onToggle, breakdown, found, dimension }: ValuesProps) {
  const t = useTranslations('analytics');
  const words = useTranslations('share');
  const format = useFormatter();
  const names = useNames();
  const [all, showAll] = useState(false);
  const { groups, groupCount, completeFrom } = breakdown;
  const metrics = found.metrics.map(({ metric }) => metric as Metric);
  const rate = RATES[metrics.join(' ')];
  const most = Math.max(1, ...groups.map(({ totals }) => totals[0] ?? 0));
  const shown = all ? groups : groups.slice(0, ROWS);
  if (groups.length === 0) return <p>{t('empty')}</p>;
  const rateOf = ({ value, totals }: Group): string => {
    const [part, whole] = rate!.map((place) => totals[place]);
    if (value === OTHERS || part == null || !whole) return '–';
    return format.number(part / whole, RATE);
  };
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className={classes.hidden}>{names.of(dimension)}</span>
            </th>
            {metrics.map((metric) => (
              <th key={metric} scope="col">
                {t(`short.${metric}`)}
              </th>
            ))}
            {rate && <th scope="col">{t('rate')}</th>}
            {found.previous && (
              <th scope="col" className="change">
                {t('change')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((group) => {
            const { value, totals, previousTotals } = group;
            const name = names.nameOf(dimension, group);
            const filter = filterText({ dimension, value });
            const flag = flagOf(dimension, value);
            const label = (
              <>
                {flag !== null && <span aria-hidden>{flag} </span>}
                <bdi>{name}</bdi>
              </>
            );
            return (
              <tr key={filter}>
                <th scope="row">
                  {share.narrow && value !== OTHERS ? (
                    <button
                      type="button"
                      className="value"
                      title={name}
                      aria-pressed={chosen.includes(filter)}
                      onClick={() => onToggle(filter, name)}
                    >
                      {label}
                    </button>
                  ) : (
                    <span className="value" title={name}>
                      {label}
                    </span>
                  )}
                  <div className="bar" style={{ width: `${(100 * (totals[0] ?? 0)) / most}%` }} />
                </th>
                {totals.map((total, place) => (
                  <td key={metrics[place]}>{total === null ? '–' : format.number(total)}</td>
                ))}
                {rate && <td>{rateOf(group)}</td>}
                {found.previous && (
                  <td className="change">
                    <Change now={totals[0]!} before={previousTotals?.[0]} complete={found.previous.complete} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {completeFrom !== null && completeFrom > found.from && (
        <p>{t('knownFrom', { time: format.dateTime(new Date(completeFrom), { dateStyle: 'medium' }) })}</p>
      )}
      {all && groupCount > groups.length && <p>{t('others', { count: groupCount - groups.length })}</p>}
      <div className="actions">
        {groups.length > ROWS && (
          <button type="button" aria-expanded={all} onClick={() => showAll(!all)}>
            {all
              ? words('fewer')
              : groupCount > groups.length
                ? words('more', { count: groups.length })
                : t('showAll', { count: groups.length })}
            <span className={classes.hidden}> {names.of(dimension)}</span>
          </button>
        )}
        {share.csv && (
          <button type="button" onClick={() => void download(dimension, access, query)}>
            CSV
            <span className={classes.hidden}> {names.of(dimension)}</span>
          </button>
        )}
      </div>
    </>
  );
}

/** A link cannot carry the secret in a header, so the page gets the file and hands it over. */
async function download(dimension: string, access: Access, query: string): Promise<void> {
  const response = await send(`/api/share/cards/export?${new URLSearchParams({ dimension })}&${query}`, access);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${dimension.replace(':', '-')}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
