import type { Device } from '@landfall/api-client';
import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../../api/client.ts';
import { type Columns, DataTable } from '../../../../parts/page/data-table.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { Ago, Sentence } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/devices/')({
  component: Devices,
});

function Devices() {
  const t = useTranslations('devices');
  const { appId } = Route.useParams();
  // Not in the address: an email has no place in the history of a browser. The tab keeps it until the sign-out.
  const [person, setPerson] = useSessionStorage({
    key: `landfall-devices-of-${appId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const [text, setText] = useState(person);
  const userEmail = person || undefined;
  const params = { path: { appId }, query: { limit: 50, userEmail } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps/{appId}/devices', { params }, cursorPages);
  const columns: Columns<Device> = [
    {
      heading: t('device'),
      cell: ({ id, platform, kind, environment, language }) => (
        <>
          {[platform, t(`kinds.${kind}`), environment, language].filter(Boolean).join(' · ')}
          <div>
            <PageLink size="xs" ff="monospace" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId: id }}>
              {id}
            </PageLink>
          </div>
        </>
      ),
    },
    {
      heading: t('state'),
      cell: ({ state }) => <Badge color={state === 'live' ? 'teal.9' : 'gray.8'}>{t(`states.${state}`)}</Badge>,
    },
    {
      heading: t('explanation'),
      maw: 380,
      cell: ({ explanation }) => <Sentence text={explanation} />,
    },
    { heading: t('firstSeen'), cell: ({ firstSeen }) => <Ago at={firstSeen} /> },
    { heading: t('lastSeen'), cell: ({ lastSeen }) => <Ago at={lastSeen} /> },
  ];
  return (
    <Page title={t('title')}>
      <Text>{t('intro')}</Text>
      <Group
        component="form"
        align="flex-end"
        onSubmit={(event) => {
          event.preventDefault();
          setPerson(text.trim());
        }}
      >
        <TextInput
          id="search"
          type="search"
          label={t('person')}
          description={t('personHelp')}
          leftSection={<Search size={16} aria-hidden />}
          flex={1}
          miw={220}
          maw={420}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            if (event.currentTarget.value === '') setPerson('');
          }}
        />
        <Button type="submit" variant="default">
          {t('find')}
        </Button>
      </Group>
      <Loaded query={query} rows={10}>
        {({ pages }) => (
          <DataTable
            minWidth={720}
            rows={pages.flatMap(({ devices }) => devices)}
            rowKey="id"
            empty={userEmail === undefined ? t('empty') : t('noneOfPerson')}
            columns={columns}
          />
        )}
      </Loaded>
    </Page>
  );
}
