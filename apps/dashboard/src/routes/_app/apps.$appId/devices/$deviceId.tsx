import type { Device, DeviceEvent } from '@landfall/api-client';
import { Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, useMay } from '../../../../api/index.ts';
import { InstallPage } from '../../../../parts/devices/install-page.tsx';
import { type DeviceTimeline, DeviceTimelineList, OtherPages, TIMELINE } from '../../../../parts/devices/timeline.tsx';
import { ConfirmButton } from '../../../../parts/page/buttons.tsx';
import { Facts } from '../../../../parts/page/data-table.tsx';
import { cursorPages, Loaded, Page, Section } from '../../../../parts/page/page.tsx';
import { RestoreCard } from '../../../../parts/restores/restore-card.tsx';
import { shortId } from '../../../../parts/short-id.ts';
import { State } from '../../../../parts/states/state.tsx';
import { states } from '../../../../parts/states/states.ts';
import { Ago, Sentence } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/devices/$deviceId')({ component: AnyDevice });

const DEVICE = '/api/manage/apps/{appId}/devices/{deviceId}';

/** A hash names a device by its starts, an id one that is registered for push. */
const HASH_LENGTH = 43;

function AnyDevice() {
  const { deviceId } = Route.useParams();
  return deviceId.length === HASH_LENGTH ? <InstallPage deviceId={deviceId} /> : <OneDevice />;
}

function OneDevice() {
  const t = useTranslations('device');
  const { appId, deviceId } = Route.useParams();
  const params = { path: { appId, deviceId }, query: { limit: 50 } };
  const query = api.useInfiniteQuery('get', DEVICE, { params }, cursorPages);
  const { data: timeline } = api.useQuery('get', TIMELINE, { params: { path: { appId, deviceId } } });
  const isThere = query.data !== undefined && !query.isError;
  return (
    <Page title={t('registration', { id: shortId(deviceId) })} actions={isThere && <DeleteDevice />}>
      <Loaded query={query} rows={10}>
        {({ device, events }) => (
          <>
            <LastStart timeline={timeline} />
            <About device={device} timeline={timeline} />
            <History appId={appId} events={events} timeline={timeline} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Says whether the last start of the user got its link, and why not. Most people come for this. */
function LastStart({ timeline }: { timeline: DeviceTimeline | undefined }) {
  const t = useTranslations('device');
  if (timeline === undefined) return null;
  const [restore] = timeline.restores;
  return (
    <Section title={t('lastStart')}>
      {restore === undefined ? (
        <Text>{t('noStart')}</Text>
      ) : (
        <RestoreCard as="div" restore={restore} links={byId(timeline.links)} keys={byId(timeline.keys)} />
      )}
    </Section>
  );
}

const byId = <T extends { id: string }>(things: readonly T[]) => new Map(things.map((one) => [one.id, one]));

function About({ device, timeline }: { device: Device; timeline: DeviceTimeline | undefined }) {
  const t = useTranslations('device');
  const devices = useTranslations('devices');
  const clients = useTranslations('clients');
  const { id, platform, kind, environment, language, explanation, firstSeen, lastSeen } = device;
  return (
    <Section title={t('pushes')}>
      <Group gap="xs">
        <State words={states.device} of={device} t={(word) => devices(`states.${word}`)} />
        <Text>
          <Sentence text={explanation} />
        </Text>
      </Group>
      <Facts
        maw={640}
        of={{
          [t('id')]: id,
          [t('platform')]: clients(`platforms.${platform}`),
          [t('provider')]: [devices(`kinds.${kind}`), environment].filter(Boolean).join(' · '),
          [t('language')]: language ?? t('notTold'),
          [t('install')]: timeline && <OtherPages ids={installsOf(timeline, platform)} />,
          [devices('firstSeen')]: <Ago at={firstSeen} />,
          [devices('lastSeen')]: <Ago at={lastSeen} />,
        }}
      />
    </Section>
  );
}

/** The phones of this platform on which the user of a registration started the app. */
const installsOf = ({ restores }: DeviceTimeline, platform: Device['platform']): string[] =>
  restores.flatMap(({ device, platform: started }) => (device !== null && started === platform ? device : []));

interface HistoryProps {
  appId: string;
  events: DeviceEvent[];
  timeline: DeviceTimeline | undefined;
}

function History({ appId, events, timeline: whole }: HistoryProps) {
  const t = useTranslations('device');
  // The pushes of the timeline are the first ones of this page.
  const timeline = whole && { ...whole, entries: whole.entries.filter(({ kind }) => kind !== 'push') };
  return (
    <Section title={t('history')}>
      <Text>{t('historyText')}</Text>
      <DeviceTimelineList appId={appId} pushes={events} timeline={timeline} />
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
  return <ConfirmButton variant="default" title={t('delete')} onConfirm={remove} danger text={t('deleteText')} />;
}
