import type { Device } from '@landfall/api-client';
import { Badge, Button, Group, Table, Text, TextInput } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../../api/apps.ts';
import { api } from '../../../../api/client.ts';
import { PageLink } from '../../../../parts/page/links.tsx';
import { Loaded } from '../../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../../parts/page/more.tsx';
import { Page } from '../../../../parts/page/page.tsx';
import { Ago, Sentence } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/devices/')({
  component: Devices,
});

function Devices() {
  const t = useTranslations('devices');
  const { appId } = Route.useParams();
  const { timeZone } = useApp(appId);
  // Not in the address: an email has no place in the history of a browser. The tab keeps it until the sign-out.
  const [person, setPerson] = useSessionStorage({
    key: `landfall-devices-of-${appId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const [text, setText] = useState(person);
  const userEmail = person || undefined;
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/apps/{appId}/devices',
    { params: { path: { appId }, query: { limit: 50, userEmail } } },
    cursorPages,
  );
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
        {({ pages }) => {
          const devices = pages.flatMap((page) => page.devices);
          if (devices.length === 0) return <Text>{userEmail === undefined ? t('empty') : t('noneOfPerson')}</Text>;
          return (
            <Table.ScrollContainer minWidth={720}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('device')}</Table.Th>
                    <Table.Th>{t('state')}</Table.Th>
                    <Table.Th>{t('explanation')}</Table.Th>
                    <Table.Th>{t('firstSeen')}</Table.Th>
                    <Table.Th>{t('lastSeen')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {devices.map((device) => (
                    <Row key={device.id} appId={appId} device={device} timeZone={timeZone} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Loaded>
      <More query={query} />
    </Page>
  );
}

function Row({ appId, device, timeZone }: { appId: string; device: Device; timeZone: string }) {
  const t = useTranslations('devices');
  const { id, platform, kind, environment, language, state, explanation, firstSeen, lastSeen } = device;
  return (
    <Table.Tr>
      <Table.Td>
        {[platform, t(`kinds.${kind}`), environment, language].filter(Boolean).join(' · ')}
        <div>
          <PageLink size="xs" ff="monospace" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId: id }}>
            {id}
          </PageLink>
        </div>
      </Table.Td>
      <Table.Td>
        <Badge color={state === 'live' ? 'teal.9' : 'gray.8'}>{t(`states.${state}`)}</Badge>
      </Table.Td>
      <Table.Td maw={380}>
        <Sentence text={explanation} timeZone={timeZone} />
      </Table.Td>
      <Table.Td>
        <Ago at={firstSeen} timeZone={timeZone} />
      </Table.Td>
      <Table.Td>
        <Ago at={lastSeen} timeZone={timeZone} />
      </Table.Td>
    </Table.Tr>
  );
}
