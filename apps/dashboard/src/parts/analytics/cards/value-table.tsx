// The values of one dimension with their figures. A chosen one is a filter.
import { Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import classes from '../analytics.module.css';
import { Change } from '../change.tsx';
import { RATES } from '../measures.ts';
import { flagOf, OTHERS, useNames } from '../names.ts';
import type { Dimension, Metric } from '../view.ts';

interface Group {
  value: string | null;
  name: string | null;
  totals: (number | null)[];
  previousTotals: (number | null)[] | null;
}

interface ValueTableProps {
  dimension: Dimension;
  breakdown: { groups: Group[] };
  found: { metrics: { metric: string; total: number | null }[]; previous: { complete: boolean } | null };
  /** The values that are filters. */
  chosen: ReadonlySet<string | null>;
  onChoose: (value: string | null) => void;
}

export function ValueTable({ dimension, breakdown: { groups }, found, chosen, onChoose }: ValueTableProps) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const names = useNames();
  const metrics = found.metrics.map(({ metric }) => metric as Metric);
  const rate = RATES[metrics.join(' ')];
  const most = Math.max(1, ...groups.map(({ totals }) => totals[0] ?? 0));
  if (groups.length === 0) return <Text size="md">{t('empty')}</Text>;
  const rateOf = ({ value, totals }: Group): string => {
    const [part, whole] = rate!.map((place) => totals[place]!);
    // Places of counts and single events are not the same values.
    if (value === OTHERS || part === null || whole === null || part === undefined || !whole) return '–';
    return format.number(part / whole, { style: 'percent', maximumFractionDigits: 1 });
  };
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
              {t('rate')}
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
        {groups.map((group) => {
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
                  {total === null ? '–' : format.number(total)}
                </Table.Td>
              ))}
              {rate && <Table.Td ta="right">{rateOf(group)}</Table.Td>}
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
