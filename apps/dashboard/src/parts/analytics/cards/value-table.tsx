// The values of one dimension with their figures. A chosen one is a filter.
import { Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { PageLink } from '../../page/links.tsx';
import { RATE } from '../../rate.ts';
import classes from '../analytics.module.css';
import { Change } from '../change.tsx';
import { changeOf, RATES } from '../measures.ts';
import { flagOf, OTHERS, useNames } from '../names.ts';
import { rowsOf } from '../rows.ts';
import { type CardMetric, type Dimension, filterOf, filterText, type Order, type View } from '../view.ts';

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
  /** The order of the rows, and how to change it. Left out: by the first figure, as the rows come. */
  order?: Order | undefined;
  onOrder: (order: Order) => void;
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

/** Sorts values by their rate. Those with few taps come below all others, and events without a value come last. */
function byShare(groups: readonly Group[], rate: readonly [number, number]): Group[] {
  const rank = (group: Group) => {
    if (group.value === null || group.value === OTHERS) return -2;
    return (group.totals[rate[1]] ?? 0) < LEAST ? -1 : (shareIn(group, rate) ?? -1);
  };
  const rest = (group: Group) => shareIn(group, rate) ?? -1;
  return groups.toSorted((a, b) => rank(b) - rank(a) || rest(b) - rest(a));
}

const byFigure = (groups: readonly Group[], place: number): Group[] =>
  groups.toSorted((a, b) => (b.totals[place] ?? -1) - (a.totals[place] ?? -1));

/** New values come first: they have grown the most. A value without a known change comes last. */
function byChange(groups: readonly Group[], complete: boolean | undefined): Group[] {
  const rank = ({ totals, previousTotals }: Group) => {
    const change = changeOf({ now: totals[0]!, before: previousTotals?.[0], complete: complete ?? true });
    return change === 'new' ? Number.MAX_VALUE : (change ?? -2);
  };
  return groups.toSorted((a, b) => rank(b) - rank(a));
}

export function ValueTable({
  dimension,
  view,
  breakdown: { groups },
  found,
  order,
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
  const place = (metrics as readonly (string | undefined)[]).indexOf(order);
  const isByRate = order === 'rate' && rate !== undefined;
  const isByChange = order === 'change' && found.previous !== null;
  const sorted = isByRate || isByChange ? order : metrics[Math.max(place, 0)];
  const ordered = isByRate
    ? byShare(groups, rate)
    : isByChange
      ? byChange(groups, found.previous?.complete)
      : place > 0
        ? byFigure(groups, place)
        : groups;
  const heading = (by: Order, text: string) => (
    <Table.Th
      key={by}
      ta="right"
      className={by === 'change' ? classes.change! : classes.number!}
      {...(by === sorted && { 'aria-sort': 'descending' as const })}
    >
      <UnstyledButton className={classes.order!} onClick={() => onOrder(by)}>
        {text}
        {by === sorted && <span aria-hidden> ↓</span>}
      </UnstyledButton>
    </Table.Th>
  );
  return (
    <>
      <Table verticalSpacing={4} horizontalSpacing={6} layout="fixed" className={classes.values!}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <VisuallyHidden>{names.of(dimension)}</VisuallyHidden>
            </Table.Th>
            {metrics.map((metric) => heading(metric, t(`short.${metric}`)))}
            {rate && heading('rate', t('rate'))}
            {found.previous && heading('change', t('change'))}
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
      {isByRate && <Text size="xs">{t('few', { least: LEAST })}</Text>}
    </>
  );
}
