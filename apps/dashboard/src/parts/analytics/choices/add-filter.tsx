// Adds a filter without looking for its value on the page: first what it is about, then one of its values.
import { Button, Popover, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { OTHERS, useNames } from '../names.ts';
import { cardsQuery, MOST_VALUES } from '../queries.ts';
import {
  type Asked,
  type Dimension,
  dimensionsOf,
  filterOf,
  filterText,
  has,
  type Metric,
  metricsOf,
} from '../view.ts';

/** More would make the list slow. The others are found by their names. */
const SHOWN = 100;

interface AddFilterProps {
  metric: Metric;
  asked: Asked;
  onChange: (filter: string[]) => void;
}

export function AddFilter(props: AddFilterProps) {
  const t = useTranslations('analytics');
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={280} withinPortal trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {t('addFilter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Choice
          {...props}
          onChange={(filter) => {
            setOpened(false);
            props.onChange(filter);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice({ metric, asked, onChange }: AddFilterProps) {
  const t = useTranslations('analytics');
  const names = useNames();
  const { labels } = useApp();
  const [dimension, setDimension] = useState<Dimension | null>(null);
  return (
    <Stack gap="sm">
      <Select
        data-autofocus
        label={t('filterBy')}
        placeholder={t('choose')}
        data={dimensionsOf(metric, labels).map((value) => ({ value, label: names.of(value) }))}
        value={dimension}
        searchable
        selectFirstOptionOnChange
        nothingFoundMessage={t('empty')}
        onChange={(value) => setDimension(value as Dimension | null)}
        // A list outside of the box would close it.
        comboboxProps={{ withinPortal: false }}
      />
      {dimension !== null && (
        <ValueSelect key={dimension} dimension={dimension} metric={metric} asked={asked} onChange={onChange} />
      )}
    </Stack>
  );
}

function ValueSelect({ dimension, metric, asked, onChange }: AddFilterProps & { dimension: Dimension }) {
  const t = useTranslations('analytics');
  const names = useNames();
  const { id: appId } = useApp();
  // Values of one dimension are alternatives: one more of them is not among the events of the others.
  const others = asked.filter.filter((one) => {
    const { dimension: its } = filterOf(one)!;
    return its !== dimension && has(metric, its);
  });
  const question = { asked: { ...asked, filter: others }, compare: {}, metrics: metricsOf(metric) };
  const { data, isPending } = useQuery(cardsQuery(appId, [dimension], question, MOST_VALUES));
  const values = (data?.breakdowns[0]?.groups ?? [])
    .filter(({ value }) => value !== OTHERS)
    .map((group) => ({
      value: filterText({ dimension, value: group.value }),
      label: names.nameOf(dimension, group),
    }))
    .filter(({ value }) => !asked.filter.includes(value));
  return (
    <Select
      label={names.of(dimension)}
      placeholder={t(isPending ? 'loadingValues' : 'search')}
      data={values}
      value={null}
      limit={SHOWN}
      // The choice above it has just been made.
      autoFocus
      searchable
      // Somebody may type before the values are there. Then the first that fits is chosen when they come.
      selectFirstOptionOnChange={!isPending}
      nothingFoundMessage={isPending ? null : t('empty')}
      onChange={(value) => value !== null && onChange([...asked.filter, value])}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
