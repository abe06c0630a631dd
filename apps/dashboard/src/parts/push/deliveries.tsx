import type { Delivery } from '@landfall/api-client';
import { Badge, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { type Columns, DataTable } from '../page/data-table.tsx';
import { PageLink } from '../page/links.tsx';
import { cursorPages, Loaded, Section } from '../page/page.tsx';
import { Ago, Sentence } from '../time.tsx';

const STATES = ['queued', 'sent', 'logged', 'failed', 'unknown', 'stopped', 'none'] as const;
type State = (typeof STATES)[number];

/** What became of a push on each device, or on the devices of one person. */
export function Deliveries({ appId, notificationId }: { appId: string; notificationId: string }) {
  const t = useTranslations('deliveries');
  const [state, setState] = useState<State | null>(null);
  const [text, setText] = useState('');
  const [userEmail, setUserEmail] = useState<string | undefined>();
  const params = { path: { notificationId }, query: { limit: 50, userEmail, ...(state !== null && { state }) } };
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/notifications/{notificationId}/deliveries',
    { params },
    cursorPages,
  );
  const columns: Columns<Delivery> = [
    {
      heading: t('device'),
      cell: ({ deviceId, platform, kind }) => (
        <>
          {platform ?? t('gone')} · {t(`kinds.${kind}`)}
          <div>
            <PageLink size="xs" ff="monospace" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
              {deviceId.slice(0, 8)}
            </PageLink>
          </div>
        </>
      ),
    },
    {
      heading: t('state'),
      cell: ({ state }) => (
        <Badge color={state === 'sent' ? 'teal.9' : state === 'failed' ? 'red.9' : 'gray.8'}>
          {t(`states.${state}`)}
        </Badge>
      ),
    },
    {
      heading: t('explanation'),
      maw: 380,
      cell: ({ explanation }) => <Sentence text={explanation} />,
    },
    { heading: t('ended'), cell: ({ endedAt }) => endedAt && <Ago at={endedAt} /> },
  ];
  return (
    <Section title={t('title')}>
      <Text size="sm">{t('intro')}</Text>
      <Group
        component="form"
        align="flex-end"
        onSubmit={(event) => {
          event.preventDefault();
          setUserEmail(text.trim() || undefined);
        }}
      >
        <TextInput
          label={t('person')}
          type="search"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            if (event.currentTarget.value === '') setUserEmail(undefined);
          }}
        />
        <Select
          label={t('state')}
          clearable
          allowDeselect
          data={STATES.filter((one) => one !== 'none' || userEmail !== undefined).map((value) => ({
            value,
            label: t(`states.${value}`),
          }))}
          value={state}
          onChange={(value) => setState(value as State | null)}
        />
        <Button type="submit" variant="default">
          {t('show')}
        </Button>
      </Group>
      <Loaded query={query}>
        {({ pages }) => (
          <DataTable
            verticalSpacing={6}
            minWidth={640}
            rows={pages.flatMap(({ deliveries }) => deliveries)}
            rowKey={({ id, deviceId }) => id ?? deviceId}
            empty={pages[0]?.explanation ?? t('empty')}
            columns={columns}
          />
        )}
      </Loaded>
    </Section>
  );
}
