import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/index.ts';
import { DataTable } from '../page/data-table.tsx';
import { PageLink } from '../page/links.tsx';
import { cursorPages, Loaded, Section } from '../page/page.tsx';
import { shortId } from '../short-id.ts';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago, Sentence } from '../time.tsx';
import { PersonSearch } from './person-search.tsx';

const STATES = ['queued', 'sent', 'logged', 'failed', 'unknown', 'stopped', 'none'] as const;
type DeliveryState = (typeof STATES)[number];

/** What became of a push on each device, or on the devices of one person. */
export function Deliveries({ appId, notificationId }: { appId: string; notificationId: string }) {
  const t = useTranslations('deliveries');
  const platforms = useTranslations('clients.platforms');
  const [state, setState] = useState<DeliveryState | null>(null);
  const [person, setPerson] = useState('');
  const userEmail = person || undefined;
  const params = { path: { notificationId }, query: { limit: 50, userEmail, ...(state !== null && { state }) } };
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/notifications/{notificationId}/deliveries',
    { params },
    cursorPages,
  );
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <PersonSearch label={t('person')} w={{ base: '100%', xs: 'auto' }} submit={t('show')} onSearch={setPerson}>
        <Select
          label={t('state')}
          placeholder={t('anyState')}
          clearable
          allowDeselect
          data={STATES.filter((one) => one !== 'none' || userEmail !== undefined).map((value) => ({
            value,
            label: t(`states.${value}`),
          }))}
          value={state}
          onChange={(value) => setState(value as DeliveryState | null)}
        />
      </PersonSearch>
      <Loaded query={query}>
        {({ deliveries, explanation }) => (
          <DataTable
            t={t}
            verticalSpacing={6}
            minWidth={640}
            rows={deliveries}
            rowKey={({ id, deviceId }) => id ?? deviceId}
            empty={explanation ?? t('empty')}
            columns={{
              device: ({ deviceId, platform, kind }) => (
                <>
                  {platform === null ? t('gone') : platforms(platform)} · {t(`kinds.${kind}`)}
                  <div>
                    <PageLink size="xs" ff="monospace" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
                      {shortId(deviceId)}
                    </PageLink>
                  </div>
                </>
              ),
              state: ({ state }) => <State words={states.delivery} of={state} t={(word) => t(`states.${word}`)} />,
              explanation: { maw: 380, cell: ({ explanation }) => <Sentence text={explanation} /> },
              ended: ({ endedAt }) => endedAt && <Ago at={endedAt} />,
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}
