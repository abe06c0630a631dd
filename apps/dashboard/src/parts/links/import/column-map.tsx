import { Select, Stack, Switch, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DataTable } from '../../page/data-table.tsx';
import type { DayOrder } from './cell-times.ts';
import { columnsOf, isOwn, isShared, keyOf, type Mapping, TARGETS, type Target, withTarget } from './columns.ts';
import { asksOrder } from './import-rows.ts';
import type { Table } from './table.ts';

export interface Choices {
  mapping: Mapping;
  order: DayOrder;
  keepsText: boolean;
}

interface ColumnMapProps {
  table: Table;
  timeZone: string;
  choices: Choices;
  onChange: (choices: Choices) => void;
}

/** Rows whose cells are shown beside the names. */
const SAMPLES = 3;

/** The use of each column, with sample cells. */
export function ColumnMap({ table, timeZone, choices, onChange }: ColumnMapProps) {
  const t = useTranslations('importLinks');
  const { mapping, order, keepsText } = choices;
  const { names, rows } = table;
  const columns = names.map((name, place) => ({ name, place })).filter(({ name }) => name !== '');
  const samplesOf = (place: number) => rows.slice(0, SAMPLES).map(({ cells }) => cells[place] ?? '');
  const labelOf = (target: Target, name: string) =>
    target === 'value' ? t('targets.value', { key: keyOf(name) }) : t(`targets.${target}`);
  /** Names the column whose empty cells this one fills. */
  const filledBy = (place: number) => {
    const target = mapping[place] ?? 'none';
    const places = isShared(target) ? [] : columnsOf(target, mapping, names);
    const column = names[places[places.indexOf(place) - 1] ?? -1];
    return column !== undefined && <Text size="xs">{t('fills', { column })}</Text>;
  };
  return (
    <Stack gap="sm">
      <DataTable
        t={t}
        minWidth={560}
        verticalSpacing={4}
        rows={columns}
        rowKey={({ name }) => name}
        columns={{
          column: { w: 110, style: { overflowWrap: 'break-word' }, cell: ({ name }) => name },
          becomes: {
            w: 190,
            cell: ({ name, place }) => (
              <>
                <Select
                  size="xs"
                  aria-label={t('becomesOf', { name })}
                  data={TARGETS.map((target) => ({ value: target, label: labelOf(target, name) }))}
                  value={mapping[place] ?? 'none'}
                  onChange={(target) => onChange({ ...choices, mapping: withTarget(mapping, place, target as Target) })}
                />
                {mapping[place] === 'none' && isOwn(name, names) && <Text size="xs">{t('own')}</Text>}
                {filledBy(place)}
              </>
            ),
          },
          samples: {
            maw: 260,
            cell: ({ place }) => {
              const samples = samplesOf(place);
              return samples.map((sample, n) => (
                <Text key={n} size="xs" truncate title={sample}>
                  {sample || '–'}
                </Text>
              ));
            },
          },
        }}
      />
      {(order !== null || asksOrder(table, mapping, timeZone)) && (
        <Select
          label={t('order')}
          description={t('orderHelp')}
          placeholder={t('orderNone')}
          data={(['dayFirst', 'monthFirst'] as const).map((value) => ({ value, label: t(`orders.${value}`) }))}
          value={order}
          onChange={(chosen) => onChange({ ...choices, order: chosen as DayOrder })}
          maw={320}
        />
      )}
      {mapping.some((target) => target.startsWith('utm_')) && (
        <Switch
          label={t('keepsText')}
          description={t('keepsTextHelp')}
          checked={keepsText}
          onChange={({ currentTarget: { checked } }) => onChange({ ...choices, keepsText: checked })}
        />
      )}
    </Stack>
  );
}
