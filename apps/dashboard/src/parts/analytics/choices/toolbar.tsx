// The choices of the page: the days, the days to compare with, and the filters.

import { firstDay, PRESETS, type Preset } from '@landfall/api-client/ranges';
import { Group, Pill, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { View } from '../view.ts';
import { useFilterNames } from './use-filter-names.ts';

interface ToolbarProps {
  view: View;
  change: (view: View) => void;
  timeZone: string;
  /** Stands at the end. */
  children: ReactNode;
}

export function Toolbar({ view, change, timeZone, children }: ToolbarProps) {
  const t = useTranslations('analytics');
  const { compare = 'previous', spelling } = view;
  return (
    <Group align="flex-end" gap="sm">
      <RangeFields view={view} change={change} timeZone={timeZone} />
      <Select
        label={t('compare')}
        w={200}
        data={(['previous', 'month', 'year', 'none'] as const).map((value) => ({
          value,
          label: t(`comparisons.${value}`),
        }))}
        value={compare}
        onChange={(value) => change({ compare: value === 'previous' ? undefined : (value as View['compare']) })}
      />
      <Switch
        label={t('spelling')}
        description={t('spellingHelp')}
        checked={spelling === 'exact'}
        onChange={({ currentTarget: { checked } }) => change({ spelling: checked ? 'exact' : undefined })}
      />
      {children}
    </Group>
  );
}

type Range = Pick<View, 'range' | 'from' | 'to'>;

/** The days: a range that ends today, or two days. */
export function RangeFields({
  view,
  change,
  timeZone,
}: {
  view: Range;
  change: (range: Range) => void;
  timeZone: string;
}) {
  const t = useTranslations('analytics');
  const { range = '30', from, to } = view;
  const isCustom = from !== undefined;
  return (
    <>
      <Select
        label={t('range')}
        w={170}
        data={[...PRESETS, 'custom' as const].map((value) => ({ value, label: t(`ranges.${value}`) }))}
        value={isCustom ? 'custom' : range}
        onChange={(value) => {
          if (value !== 'custom') return change({ range: value as Preset, from: undefined, to: undefined });
          const first = firstDay(range === '24h' ? 'today' : range, timeZone);
          return change({ from: first, to: firstDay('today', timeZone) });
        }}
      />
      {isCustom &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={t(end)}
            value={view[end]}
            {...(end === 'from' ? { max: to } : { min: from })}
            onChange={({ currentTarget: { value } }) => value && change({ [end]: value })}
          />
        ))}
    </>
  );
}

interface FiltersProps {
  filter: readonly string[];
  onChange: (filter: string[]) => void;
}

/** The filters that hold. Values of one dimension are alternatives. */
export function Filters({ filter, onChange }: FiltersProps) {
  const t = useTranslations('analytics');
  const nameOf = useFilterNames(filter);
  if (filter.length === 0) return null;
  return (
    <Group gap="xs" role="list" aria-label={t('filters')}>
      {filter.map((one) => (
        <Pill
          key={one}
          role="listitem"
          size="md"
          maw="100%"
          title={nameOf(one)}
          withRemoveButton
          onRemove={() => onChange(filter.filter((other) => other !== one))}
          removeButtonProps={{
            'aria-label': t('removeFilter', { filter: nameOf(one) }),
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          {nameOf(one)}
        </Pill>
      ))}
    </Group>
  );
}
