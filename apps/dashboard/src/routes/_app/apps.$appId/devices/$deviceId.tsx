import type { Device, DeviceEvent } from '@landfall/api-client';
import { Badge, Group, Stack, Text, Timeline } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { BellRing, MousePointerClick, Smartphone, UserRound, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { api, client, useMay } from '../../../../api/index.ts';
import { ConfirmButton } from '../../../../parts/page/buttons.tsx';
import { Facts } from '../../../../parts/page/data-table.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page, Section } from '../../../../parts/page/page.tsx';
import { Ago, Sentence } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/devices/$deviceId')({ component: OneDevice });

const DEVICE = '/api/manage/apps/{appId}/devices/{deviceId}';

function OneDevice() {
  const t = useTranslations('device');
  const { appId, deviceId } = Route.useParams();
  const params = { path: { appId, deviceId }, query: { limit: 50 } };
  const query = api.useInfiniteQuery('get', DEVICE, { params }, cursorPages);
  const isThere = query.data !== undefined && !query.isError;
  return (
    <Page title={t('title', { id: deviceId.slice(0, 8) })} actions={isThere && <DeleteDevice />}>
      <Loaded query={query} rows={10}>
        {({ device, events }) => (
          <>
            <About device={device} />
            <History appId={appId} events={events} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ device }: { device: Device }) {
  const t = useTranslations('device');
  const devices = useTranslations('devices');
  const { id, platform, kind, environment, language, state, explanation, firstSeen, lastSeen } = device;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge color={state === 'live' ? 'teal.9' : 'gray.8'}>{devices(`states.${state}`)}</Badge>
        <Text>
          <Sentence text={explanation} />
        </Text>
      </Group>
      <Facts
        maw={640}
        of={{
          [t('id')]: id,
          [t('platform')]: platform,
          [t('provider')]: [devices(`kinds.${kind}`), environment].filter(Boolean).join(' · '),
          [t('language')]: language ?? t('notTold'),
          [devices('firstSeen')]: <Ago at={firstSeen} />,
          [devices('lastSeen')]: <Ago at={lastSeen} />,
        }}
      />
    </Stack>
  );
}

const ICONS = {
  registered: Smartphone,
  seen: Smartphone,
  person: UserRound,
  dropped: X,
  push: BellRing,
  opened: MousePointerClick,
} as const;

/** Latest first, also across pages: a push may be opened long after it was sent. */
function History({ appId, events }: { appId: string; events: DeviceEvent[] }) {
  const t = useTranslations('device');
  const deliveries = useTranslations('deliveries');
  return (
    <Section title={t('history')}>
      <Text>{t('historyText')}</Text>
      <Timeline bulletSize={26} lineWidth={2}>
        {events
          .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
          .map(({ at, kind, explanation, state, notificationId, title }) => {
            const Icon = ICONS[kind];
            return (
              <Timeline.Item
                key={`${kind} ${notificationId} ${at}`}
                bullet={<Icon size={14} aria-hidden />}
                title={
                  <Group gap="xs">
                    {t(`kinds.${kind}`)}
                    {notificationId !== null && (
                      <PageLink to="/apps/$appId/push/$notificationId" params={{ appId, notificationId }}>
                        {title || t('untitled')}
                      </PageLink>
                    )}
                    {state !== null && (
                      <Badge color={state === 'sent' ? 'teal.9' : state === 'failed' ? 'red.9' : 'gray.8'}>
                        {deliveries(`states.${state}`)}
                      </Badge>
                    )}
                  </Group>
                }
              >
                <Text>
                  <Sentence text={explanation} />
                </Text>
                <Ago at={at} />
              </Timeline.Item>
            );
          })}
      </Timeline>
    </Section>
  );
}

/** Nothing can bring a token back but the app, so this asks first. */
function DeleteDevice() {
  const t = useTranslations('device');
  const { appId, deviceId } = Route.useParams();
  const { queries } = Route.useRouteContext();
  const navigate = useNavigate();
  const mayDelete = useMay('admin');
  if (!mayDelete) return null;
  async function remove() {
    await client.DELETE(DEVICE, { params: { path: { appId, deviceId } } });
    notifications.show({ message: t('deleted') });
    await navigate({ to: '/apps/$appId/devices', params: { appId }, replace: true });
    queries.removeQueries({ queryKey: ['get', DEVICE] });
  }
  return <ConfirmButton color="red.9" title={t('delete')} onConfirm={remove} danger text={t('deleteText')} />;
}
