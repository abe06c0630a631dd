// What narrows the list of links. All of it stands in the address of the page.
import { Button, Checkbox, Group, Popover, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Columns3, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, useApp, useMe } from '../../../api/index.ts';
import { FiltersButton, halfOr } from '../../views/filters-button.tsx';
import { COLUMNS, type Column } from './columns.ts';
import { filterOf, ORIGINS, RANGES, type Range, SORTS, type Sort, STATES, type View } from './view.ts';

const HALF = halfOr(160);

interface FiltersProps {
  view: View;
  /** Undefined removes a part of the view. */
  onChange: (changed: { [K in keyof View]?: View[K] | undefined }) => void;
}

/** Beside the search, everything else is behind one button on a phone, so that the first links are in sight. */
export function Filters({
  view,
  onChange,
  isNarrow,
  ...choice
}: FiltersProps & ColumnChoiceProps & { isNarrow: boolean }) {
  const [opened, { toggle }] = useDisclosure();
  const { search: _, ...filter } = filterOf(view);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <SearchField
          initial={view.search ?? ''}
          onSearch={(text) => onChange({ search: text || undefined })}
          miw={isNarrow ? 160 : 220}
        />
        {isNarrow ? (
          <FiltersButton count={Object.keys(filter).length} opened={opened} onClick={toggle} />
        ) : (
          <StateChoice view={view} onChange={onChange} />
        )}
      </Group>
      {(!isNarrow || opened) && <Choices view={view} onChange={onChange} isNarrow={isNarrow} {...choice} />}
    </Stack>
  );
}

function StateChoice({ view, onChange }: FiltersProps) {
  const t = useTranslations('links');
  return (
    <SegmentedControl
      aria-label={t('state')}
      data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
      value={view.state ?? 'all'}
      onChange={(value) => onChange({ state: value === 'all' ? undefined : (value as View['state']) })}
    />
  );
}

function Choices({
  view,
  onChange,
  isNarrow,
  columns,
  onColumns,
}: FiltersProps & ColumnChoiceProps & { isNarrow: boolean }) {
  const t = useTranslations('links');
  const { tags, campaigns, makers } = useChoices(view);
  return (
    <Group gap="xs">
      {isNarrow && <StateChoice view={view} onChange={onChange} />}
      <Choice name="tag" data={tags} value={view.tag} onChange={(tag) => onChange({ tag })} />
      <Choice name="campaign" data={campaigns} value={view.campaign} onChange={(campaign) => onChange({ campaign })} />
      <Choice
        name="maker"
        data={makers}
        value={view.createdBy ?? view.origin}
        onChange={(value) => {
          const origin = ORIGINS.find((one) => one === value);
          onChange({ origin, createdBy: origin ? undefined : value });
        }}
      />
      <Select
        aria-label={t('range')}
        w={HALF}
        data={RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
        value={view.range ?? '30d'}
        onChange={(range) => onChange({ range: range === '30d' ? undefined : (range as Exclude<Range, '30d'>) })}
      />
      {isNarrow && (
        <Select
          aria-label={t('sort')}
          w={HALF}
          data={SORTS.map((value) => ({ value, label: t(`sortBy.${value}`) }))}
          value={view.sort ?? 'created'}
          onChange={(sort) => onChange({ sort: sort === 'created' ? undefined : (sort as Exclude<Sort, 'created'>) })}
        />
      )}
      <ColumnChoice columns={columns} onColumns={onColumns} />
    </Group>
  );
}

interface Option {
  value: string;
  label: string;
}

/** The values that the filters offer. One that is chosen is there always. */
function useChoices({ tag, campaign, createdBy }: View) {
  const t = useTranslations('links');
  const { id: appId, teamId } = useApp();
  const isVisitor = useMe().kind === 'visitor';
  const params = { path: { appId } };
  const tags = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/tags', { params }));
  const used = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/utm-values', { params }));
  const team = useQuery({
    ...api.queryOptions('get', '/api/manage/teams/{teamId}/members', { params: { path: { teamId: teamId ?? '' } } }),
    enabled: teamId !== null && !isVisitor,
  });
  const people = (team.data?.members ?? []).map(({ userId, name }): Option => ({ value: userId, label: name }));
  const isGone = createdBy !== undefined && !people.some(({ value }) => value === createdBy);
  return {
    tags: withChosen(tags.data?.tags.map(({ tag }) => tag) ?? [], tag),
    campaigns: withChosen(used.data?.values.campaign.map(({ value }) => value) ?? [], campaign),
    makers: [
      ...ORIGINS.map((value): Option => ({ value, label: t(`origins.${value}`) })),
      ...people,
      ...(isGone ? [{ value: createdBy, label: t('gonePerson') }] : []),
    ],
  };
}

const withChosen = (known: readonly string[], chosen: string | undefined): Option[] =>
  [...new Set(chosen === undefined ? known : [chosen, ...known])].map((value) => ({ value, label: value }));

interface ChoiceProps {
  name: 'tag' | 'campaign' | 'maker';
  data: Option[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ name, data, value, onChange }: ChoiceProps) {
  const t = useTranslations('links');
  return (
    <Select
      aria-label={t(`filters.${name}`)}
      placeholder={t(`filters.${name}`)}
      w={HALF}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      nothingFoundMessage={t('nothingFound')}
      limit={50}
      searchable
      clearable
    />
  );
}

interface ColumnChoiceProps {
  columns: Column[];
  onColumns: (columns: Column[]) => void;
}

function ColumnChoice({ columns, onColumns }: ColumnChoiceProps) {
  const t = useTranslations('links');
  return (
    <Popover withinPortal trapFocus position="bottom-end">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          {t('columnChoice')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group label={t('columnChoice')} value={columns} onChange={(value) => onColumns(value as Column[])}>
          <Stack gap="xs" mt="xs">
            {COLUMNS.map((value) => (
              <Checkbox key={value} value={value} label={t(`columns.${value}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Asks when the person pauses, not at each letter. */
function SearchField({ initial, onSearch, miw }: { initial: string; onSearch: (text: string) => void; miw: number }) {
  const t = useTranslations('links');
  const [text, setText] = useState(initial);
  const search = useDebouncedCallback(onSearch, 300);
  return (
    <TextInput
      id="search"
      type="search"
      aria-label={t('search')}
      placeholder={t('searchHint')}
      leftSection={<Search size={16} aria-hidden />}
      flex={1}
      miw={miw}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
