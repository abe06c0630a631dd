import type { Device } from '@landfall/api-client';
import { Alert, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../../../api/index.ts';
import { DataTable } from '../../../../parts/page/data-table.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { PersonSearch } from '../../../../parts/push/person-search.tsx';
import { State, Toned } from '../../../../parts/states/state.tsx';
import { states } from '../../../../parts/states/states.ts';
import { Ago, Sentence } from '../../../../parts/time.tsx';
import { useSearched } from '../../../../parts/views/searched.ts';

export const Route = createFileRoute('/_app/apps/$appId/devices/')({ component: Devices });

function Devices() {
  const t = useTranslations('devices');
  const clients = useTranslations('clients');
  const { appId } = Route.useParams();
  const [person, setPerson] = useSearched();
  const userEmail = person || undefined;
  const params = { path: { appId }, query: { limit: 50, userEmail } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps/{appId}/devices', { params }, cursorPages);
  return (
    <Page title={t('title')}>
      <Text size="md">
        {t('intro')}{' '}
        <PageLink underline="always" to="/apps/$appId/restores" params={{ appId }}>
          {t('others')}
        </PageLink>
      </Text>
      <PersonSearch
        id="search"
        label={t('person')}
        description={t('personHelp')}
        leftSection={<Search size={16} aria-hidden />}
        flex={1}
        miw={220}
        maw={420}
        initial={person}
        submit={t('find')}
        onSearch={setPerson}
      />
      <Loaded query={query} rows={10}>
        {({ devices }) => (
          <>
            <Missing appId={appId} kinds={[...new Set(devices.filter(lacks).map(({ kind }) => kind))]} />
            <DataTable
              t={t}
              minWidth={720}
              rows={devices}
              empty={userEmail === undefined ? t('empty') : t('noneOfPerson')}
              columns={{
                device: ({ id, platform, kind, environment, language }) => (
                  <>
                    {[clients(`platforms.${platform}`), t(`kinds.${kind}`), environment, language]
                      .filter(Boolean)
                      .join(' · ')}
                    <div>
                      <PageLink
                        size="xs"
                        ff="monospace"
                        style={{ whiteSpace: 'nowrap' }}
                        to="/apps/$appId/devices/$deviceId"
                        params={{ appId, deviceId: id }}
                      >
                        {id}
                      </PageLink>
                    </div>
                  </>
                ),
                state: (device) =>
                  lacks(device) ? (
                    <Toned tone="plain">{t('noPush')}</Toned>
                  ) : (
                    <State words={states.device} of={device} t={(word) => t(`states.${word}`)} />
                  ),
                explanation: !devices.every(lacks) && {
                  maw: 380,
                  cell: (device) => !lacks(device) && <Sentence text={device.explanation} />,
                },
                firstSeen: { style: { whiteSpace: 'nowrap' }, cell: ({ firstSeen }) => <Ago at={firstSeen} /> },
                lastSeen: { style: { whiteSpace: 'nowrap' }, cell: ({ lastSeen }) => <Ago at={lastSeen} /> },
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
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
