// The filters of the list of restores. All but the search stand in the address of the page.

import { Group, Pill, SegmentedControl, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../api/index.ts';
import { PLATFORMS, type Platform, PlatformSelect } from '../devices/platform-select.tsx';
import { PersonSearch } from '../push/person-search.tsx';
import { shortId } from '../short-id.ts';
import { oneOf, withoutUndefined } from '../views/address.ts';
import { FiltersButton, halfOr, useIsNarrow } from '../views/filters-button.tsx';

export const STATES = ['found', 'refused', 'nothing'] as const;
/** Hours. */
const TIMES = { hour: 1, day: 24, week: 168 } as const;
const TIME_NAMES = Object.keys(TIMES) as (keyof typeof TIMES)[];

export interface Filters {
  state?: (typeof STATES)[number];
  platform?: Platform;
  key?: string;
  link?: string;
  time?: keyof typeof TIMES;
  /** The time of one restore, as an event of analytics has it. */
  at?: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const idIn = (given: unknown): string | undefined =>
  typeof given === 'string' && UUID.test(given) ? given : undefined;

/** Reads the address of the page. What it does not know is left out. */
export const readFilters = ({ state, platform, key, link, time, at }: Record<string, unknown>): Filters =>
  withoutUndefined({
    state: oneOf(STATES, state),
    platform: oneOf(PLATFORMS, platform),
    key: idIn(key),
    link: idIn(link),
    time: oneOf(TIME_NAMES, time),
    at: typeof at === 'string' && INSTANT.test(at) ? at : undefined,
  });

/** Returns the query of the API. Whole minutes, so that it is not another question at each moment. */
export function queryOf({ state, platform, key, link, time, at }: Filters, search: string) {
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  return withoutUndefined({
    state,
    platform,
    keyId: key,
    linkId: link,
    from: at ?? (time && new Date(minute - TIMES[time] * 3_600_000).toISOString()),
    before: at && new Date(Date.parse(at) + 1).toISOString(),
    search: search || undefined,
  });
}

interface RestoreFiltersProps {
  filters: Filters;
  search: string;
  /** The name of the link of the filter, when it is known. */
  link: string | undefined;
  onChange: (filters: Filters) => void;
  onSearch: (text: string) => void;
}

export function RestoreFilters({ filters, search, link, onChange, onSearch }: RestoreFiltersProps) {
  const t = useTranslations('restores.filters');
  const format = useFormatter();
  const { id: appId } = useApp();
  const isNarrow = useIsNarrow();
  const [opened, { toggle }] = useDisclosure();
  const { data } = api.useQuery('get', '/api/manage/apps/{appId}/keys', { params: { path: { appId } } });
  const keys = (data?.keys ?? []).filter(({ kind }) => kind === 'mobile');
  const count = [filters.state, filters.platform, filters.key, filters.time].filter(Boolean).length;
  return (
    <Stack gap="sm">
      <PersonSearch
        id="search"
        label={t('search')}
        placeholder={t('hint')}
        description={t('help')}
        leftSection={<Search size={16} aria-hidden />}
        flex={1}
        miw={220}
        maw={640}
        // On a phone it is as wide as the page, below the button, too.
        {...(isNarrow && { styles: { description: { width: 'calc(100vw - 2rem)' } } })}
        initial={search}
        submit={t('find')}
        onSearch={onSearch}
      />
      <Group gap="xs">
        {isNarrow && <FiltersButton count={count} opened={opened} onClick={toggle} />}
        {(!isNarrow || opened) && (
          <>
            <SegmentedControl
              aria-label={t('state')}
              data={(['all', ...STATES] as const).map((value) => ({ value, label: t(`states.${value}`) }))}
              value={filters.state ?? 'all'}
              onChange={(value) => onChange({ state: oneOf(STATES, value) })}
            />
            <PlatformSelect w={halfOr(150)} value={filters.platform} onChange={(platform) => onChange({ platform })} />
            <Select
              aria-label={t('key')}
              placeholder={t('anyKey')}
              clearable
              searchable
              w={halfOr(190)}
              data={keys.map(({ id, label, hint }) => ({ value: id, label: [label, hint].filter(Boolean).join(' ') }))}
              value={filters.key ?? null}
              onChange={(value) => onChange({ key: value ?? undefined })}
            />
            <Select
              aria-label={t('time')}
              placeholder={t('times.all')}
              clearable
              w={halfOr(170)}
              data={TIME_NAMES.map((value) => ({ value, label: t(`times.${value}`) }))}
              value={filters.time ?? null}
              onChange={(value) => onChange({ time: oneOf(TIME_NAMES, value) })}
            />
          </>
        )}
        {filters.at !== undefined && (
          <Pill
            size="md"
            withRemoveButton
            onRemove={() => onChange({ at: undefined })}
            removeButtonProps={{ 'aria-label': t('clearTime'), 'aria-hidden': false, tabIndex: 0 }}
          >
            {format.dateTime(new Date(filters.at), { dateStyle: 'medium', timeStyle: 'medium' })}
          </Pill>
        )}
        {filters.link !== undefined && (
          <Pill
            size="md"
            withRemoveButton
            onRemove={() => onChange({ link: undefined })}
            removeButtonProps={{ 'aria-label': t('clear'), 'aria-hidden': false, tabIndex: 0 }}
            maw={320}
          >
            {t('link', { link: link ?? shortId(filters.link) })}
          </Pill>
        )}
      </Group>
    </Stack>
  );
}
