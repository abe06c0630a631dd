// The values of one dimension with their figures. A chosen one is a filter.
import { Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { PageLink } from '../../page/links.tsx';
import { RATE } from '../../rate.ts';
import classes from '../analytics.module.css';
import { Change } from '../change.tsx';
import { RATES } from '../measures.ts';
import { flagOf, OTHERS, useNames } from '../names.ts';
import { rowsOf } from '../rows.ts';
import { type CardMetric, type Dimension, filterOf, filterText, type View } from '../view.ts';

interface Group {
  value: string | null;
  name: string | null;
  totals: (number | null)[];
  previousTotals: (number | null)[] | null;
}

interface ValueTableProps {
  dimension: Dimension;
  view: View;
  breakdown: { groups: Group[] };
  found: { metrics: { metric: string; total: number | null }[]; previous: { complete: boolean } | null };
  /** The order of the rows, and how to change it. */
  byRate: boolean;
  onOrder: () => void;
  /** The values that are filters. */
  chosen: ReadonlySet<string | null>;
  onChoose: (value: string | null) => void;
}

/** A value with fewer taps has no rate that says anything: one of one is not the best. */
export const LEAST = 20;

/** Returns the rate of a value. Null: there is none. */
export function shareIn(
  { value, totals }: Pick<Group, 'value' | 'totals'>,
  rate: readonly [number, number] | undefined,
) {
  if (!rate) return null;
  const [part, whole] = rate.map((place) => totals[place]!);
  // Places of counts and single events are not the same values.
  if (value === OTHERS || part === null || whole === null || part === undefined || !whole) return null;
  return part / whole;
}

/** Sorts values by their rate, those with few taps below all others. */
export function byShare<G extends Pick<Group, 'value' | 'totals'>>(
  groups: readonly G[],
  rate: readonly [number, number],
): G[] {
  const rank = (group: G) => ((group.totals[rate[1]] ?? 0) < LEAST ? -1 : (shareIn(group, rate) ?? -1));
  const rest = (group: G) => shareIn(group, rate) ?? -1;
  return groups.toSorted((a, b) => rank(b) - rank(a) || rest(b) - rest(a));
}

export function ValueTable({
  dimension,
  view,
  breakdown: { groups },
  found,
  byRate,
  onOrder,
  chosen,
  onChoose,
}: ValueTableProps) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const rows = useTranslations('rows');
  const names = useNames();
  const { id: appId } = useApp();
  const others = (view.filter ?? []).filter((one) => filterOf(one)?.dimension !== dimension);
  const metrics = found.metrics.map(({ metric }) => metric as CardMetric);
  const rate = RATES[metrics.join(' ')];
  const most = Math.max(1, ...groups.map(({ totals }) => totals[0] ?? 0));
  if (groups.length === 0) return <Text size="md">{t('empty')}</Text>;
  const shareOf = (group: Group) => shareIn(group, rate);
  const ordered = byRate && rate ? byShare(groups, rate) : groups;
  return (
    <Table verticalSpacing={4} horizontalSpacing={6} layout="fixed" className={classes.values!}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <VisuallyHidden>{names.of(dimension)}</VisuallyHidden>
          </Table.Th>
          {metrics.map((metric) => (
            <Table.Th key={metric} ta="right" className={classes.number!}>
              {t(`short.${metric}`)}
            </Table.Th>
          ))}
          {rate && (
            <Table.Th ta="right" className={classes.number!}>
              <UnstyledButton
                className={classes.order!}
                aria-pressed={byRate}
                title={t(byRate ? 'byCount' : 'byRate', { least: LEAST })}
                onClick={onOrder}
              >
                {t('rate')} <span aria-hidden>{byRate ? '↓' : '↕'}</span>
              </UnstyledButton>
            </Table.Th>
          )}
          {found.previous && (
            <Table.Th ta="right" className={classes.change!}>
              {t('change')}
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ordered.map((group) => {
          const { value, totals, previousTotals } = group;
          const name = names.nameOf(dimension, group);
          const flag = flagOf(dimension, value);
          return (
            <Table.Tr key={JSON.stringify(value)}>
              <Table.Td>
                {value === OTHERS ? (
                  <Text>{name}</Text>
                ) : (
                  <UnstyledButton
                    className={classes.value!}
                    title={name}
                    aria-pressed={chosen.has(value)}
                    onClick={() => onChoose(value)}
                  >
                    {flag !== null && <span aria-hidden>{flag} </span>}
                    <bdi>{name}</bdi>
                  </UnstyledButton>
                )}
                <div className={classes.bar!} style={{ width: `${(100 * (totals[0] ?? 0)) / most}%` }} />
              </Table.Td>
              {totals.map((total, place) => (
                <Table.Td key={metrics[place]} ta="right">
                  {total === null || total === 0 || value === OTHERS ? (
                    (total ?? '–')
                  ) : (
                    <PageLink
                      inherit
                      c="inherit"
                      // Every card has a dozen of them. With the keyboard, the value is chosen as a filter first.
                      tabIndex={-1}
                      title={rows('listOf', { figure: `${t(`metrics.${metrics[place]!}`)}, ${name}` })}
                      to="/apps/$appId/events"
                      params={{ appId }}
                      search={rowsOf(view, metrics[place]!, [...others, filterText({ dimension, value })])}
                    >
                      {format.number(total)}
                    </PageLink>
                  )}
                </Table.Td>
              ))}
              {rate && (
                <Table.Td ta="right">{shareOf(group) === null ? '–' : format.number(shareOf(group)!, RATE)}</Table.Td>
              )}
              {found.previous && (
                <Table.Td ta="right" className={classes.change!}>
                  <Change now={totals[0]!} before={previousTotals?.[0]} complete={found.previous.complete} />
                </Table.Td>
              )}
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
