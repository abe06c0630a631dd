import { Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { api } from '../../../../api/index.ts';
import { DataTable } from '../../../../parts/page/data-table.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { PersonSearch } from '../../../../parts/push/person-search.tsx';
import { State } from '../../../../parts/states/state.tsx';
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
              state: (device) => <State words={states.device} of={device} t={(word) => t(`states.${word}`)} />,
              explanation: { maw: 380, cell: ({ explanation }) => <Sentence text={explanation} /> },
              firstSeen: { style: { whiteSpace: 'nowrap' }, cell: ({ firstSeen }) => <Ago at={firstSeen} /> },
              lastSeen: { style: { whiteSpace: 'nowrap' }, cell: ({ lastSeen }) => <Ago at={lastSeen} /> },
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}
