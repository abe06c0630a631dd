import type { Device } from '@landfall/api-client';
import { Alert, Group, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../../../api/index.ts';
import { PLATFORMS, type Platform, PlatformSelect } from '../../../../parts/devices/platform-select.tsx';
import { DataTable } from '../../../../parts/page/data-table.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { PersonSearch } from '../../../../parts/push/person-search.tsx';
import { shortId } from '../../../../parts/short-id.ts';
import { State, Toned } from '../../../../parts/states/state.tsx';
import { stateOf, states } from '../../../../parts/states/states.ts';
import { Ago, Sentence } from '../../../../parts/time.tsx';
import { oneOf, useView, withoutUndefined } from '../../../../parts/views/address.ts';
import { searchedFor, useSearched } from '../../../../parts/views/searched.ts';

interface Filters {
  platform?: Platform;
}
const readFilters = ({ platform }: Record<string, unknown>): Filters =>
  withoutUndefined({ platform: oneOf(PLATFORMS, platform) });

export const Route = createFileRoute('/_app/apps/$appId/devices/')({
  validateSearch: readFilters,
  component: Devices,
});

function Devices() {
  const t = useTranslations('devices');
  const { appId } = Route.useParams();
  const { platform } = useView(Route, readFilters);
  const navigate = Route.useNavigate();
  const [searched, setSearched] = useSearched();
  const search = searched || undefined;
  const params = { path: { appId }, query: { limit: 50, search, platform } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps/{appId}/devices', { params }, cursorPages);
  const total = query.data?.pages[0]?.total ?? null;
  // The list of restores knows people and fingerprints, too.
  const toRestores = useMemo(() => searchedFor(searched), [searched]);
  const empty = platform !== undefined ? 'noMatch' : search === undefined ? 'empty' : 'noneFound';
  return (
    <Page title={t('title')}>
      <Text size="md">
        {t('intro')}{' '}
        <PageLink underline="always" to="/apps/$appId/restores" params={{ appId }} state={toRestores}>
          {t('others')}
        </PageLink>
      </Text>
      <PersonSearch
        id="search"
        label={t('search')}
        placeholder={t('searchHint')}
        description={t('searchHelp')}
        leftSection={<Search size={16} aria-hidden />}
        flex={1}
        miw={220}
        maw={640}
        initial={searched}
        submit={t('find')}
        onSearch={setSearched}
      >
        <PlatformSelect
          value={platform}
          onChange={(platform) =>
            void navigate({ search: readFilters({ platform }), state: true, replace: true, resetScroll: false })
          }
        />
      </PersonSearch>
      <Loaded query={query} rows={10}>
        {({ devices }) => (
          <>
            <Missing appId={appId} kinds={[...new Set(devices.filter(lacks).map(({ kind }) => kind))]} />
            {devices.length === 0 ? (
              <Text size="md">
                {t(empty)}{' '}
                {empty === 'noneFound' && (
                  <PageLink underline="always" to="/apps/$appId/restores" params={{ appId }} state={toRestores}>
                    {t('inRestores')}
                  </PageLink>
                )}
              </Text>
            ) : (
              <List appId={appId} devices={devices} total={total} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ListProps {
  appId: string;
  devices: readonly Device[];
  /** All devices that match. Null: not known. */
  total: number | null;
}

/** A state or an explanation that all devices share stands above the table, once. */
function List({ appId, devices, total }: ListProps) {
  const t = useTranslations('devices');
  const clients = useTranslations('clients');
  const wordOf = (device: Device) => (lacks(device) ? 'noPush' : stateOf(states.device, device).word);
  const explanationOf = (device: Device) => (lacks(device) ? '' : device.explanation);
  const isOne = devices.length === 1;
  const [sameState, sameExplanation] = [wordOf, explanationOf].map(
    (of) => !isOne && new Set(devices.map(of)).size === 1,
  );
  const stateIn = (device: Device) =>
    lacks(device) ? (
      <Toned tone="plain">{t('noPush')}</Toned>
    ) : (
      <State words={states.device} of={device} t={(word) => t(`states.${word}`)} />
    );
  return (
    <>
      <Group gap="xs">
        {total !== null && <Text fw={600}>{t('count', { count: total })}</Text>}
        {sameState && stateIn(devices[0]!)}
        {sameExplanation && !devices.every(lacks) && (
          <Text>
            <Sentence text={explanationOf(devices[0]!)} />
          </Text>
        )}
      </Group>
      <DataTable
        t={t}
        minWidth={sameState ? 480 : 720}
        rows={devices}
        columns={{
          device: ({ id }) => (
            <PageLink size="sm" ff="monospace" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId: id }}>
              {shortId(id)}
            </PageLink>
          ),
          platform: ({ platform }) => clients(`platforms.${platform}`),
          person: ({ hasUser }) => hasUser !== null && t(hasUser ? 'known' : 'unknown'),
          provider: ({ kind, environment }) => [t(`kinds.${kind}`), environment].filter(Boolean).join(' · '),
          language: ({ language }) => language,
          state: !sameState && stateIn,
          explanation: !sameExplanation &&
            !devices.every(lacks) && {
              maw: 380,
              cell: (device) => <Sentence text={explanationOf(device)} />,
            },
          firstSeen: { style: { whiteSpace: 'nowrap' }, cell: ({ firstSeen }) => <Ago at={firstSeen} /> },
          lastSeen: { style: { whiteSpace: 'nowrap' }, cell: ({ lastSeen }) => <Ago at={lastSeen} /> },
        }}
      />
    </>
  );
}

/** True for a device that only the missing credentials of its provider keep from pushes. One notice says so for all. */
const lacks = ({ state, credentials }: Pick<Device, 'state' | 'credentials'>): boolean =>
  state === 'live' && credentials === 'missing';

function Missing({ appId, kinds }: { appId: string; kinds: readonly Device['kind'][] }) {
  const t = useTranslations('devices');
  const format = useFormatter();
  if (kinds.length === 0) return null;
  return (
    <Alert
      color="yellow"
      title={t('noCredentials', { providers: format.list(kinds.map((kind) => t(`kinds.${kind}`))) })}
    >
      <PageLink size="sm" underline="always" to="/apps/$appId/push/credentials" params={{ appId }}>
        {t('toCredentials')}
      </PageLink>
    </Alert>
  );
}
