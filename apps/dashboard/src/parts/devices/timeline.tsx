// The timeline of a device, newest first: taps, install, restores, registration for push, pushes and openings.

import type { DeviceEvent, paths } from '@landfall/api-client';
import { Group, Text, Timeline } from '@mantine/core';
import {
  BellRing,
  Download,
  type LucideIcon,
  MousePointerClick,
  Pointer,
  Rocket,
  Smartphone,
  Undo2,
  UserRound,
  X,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { api, useApp } from '../../api/index.ts';
import { PageLink } from '../page/links.tsx';
import { LinkName, RestoreCard } from '../restores/restore-card.tsx';
import { shortId } from '../short-id.ts';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Sentence, When } from '../time.tsx';
import { likeTap } from '../try/like-tap.ts';

export const TIMELINE = '/api/manage/apps/{appId}/devices/{deviceId}/timeline';
export type DeviceTimeline = paths[typeof TIMELINE]['get']['responses'][200]['content']['application/json'];
type Entry = DeviceTimeline['entries'][number];

const PUSH_ICONS: Record<DeviceEvent['kind'], LucideIcon> = {
  registered: Smartphone,
  seen: Smartphone,
  person: UserRound,
  dropped: X,
  push: BellRing,
  opened: MousePointerClick,
};
const ICONS: Record<Exclude<Entry['kind'], 'push'>, LucideIcon> = {
  tap: Pointer,
  considered: Pointer,
  installed: Download,
  returned: Rocket,
  started: Rocket,
  restore: Undo2,
};

interface DeviceTimelineProps {
  appId: string;
  /** Pushes of a device, as its own page has them. */
  pushes?: readonly DeviceEvent[];
  /** Left out until it is known. */
  timeline: DeviceTimeline | undefined;
}

/** Latest first, also across pages: a push may be opened long after it was sent. */
export function DeviceTimelineList({ appId, pushes = [], timeline }: DeviceTimelineProps) {
  const t = useTranslations('device');
  const links = new Map(timeline?.links.map((link) => [link.id, link]));
  const keys = new Map(timeline?.keys.map((key) => [key.id, key]));
  const restores = new Map(timeline?.restores.map((restore) => [restore.id, restore]));
  const items = [
    ...pushes.map((event) => ({ at: event.at, key: `${event.kind} ${event.notificationId}`, event, entry: null })),
    ...(timeline?.entries ?? []).map((entry) => ({
      at: entry.at,
      key: `${entry.kind} ${entry.restoreId ?? entry.linkId ?? entry.deviceId} ${entry.event?.kind}`,
      event: entry.event,
      entry,
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  if (items.length === 0) return <Text>{t('noHistory')}</Text>;
  return (
    <Timeline bulletSize={26} lineWidth={2}>
      {items.map(({ at, key, event, entry }) => {
        const kind = event?.kind ?? (entry!.kind as keyof typeof ICONS);
        const Icon = event ? PUSH_ICONS[event.kind] : ICONS[kind as keyof typeof ICONS];
        const restore = entry?.restoreId ? restores.get(entry.restoreId) : undefined;
        return (
          <Timeline.Item
            key={`${key} ${at}`}
            bullet={<Icon size={14} aria-hidden />}
            title={
              <Group gap="xs">
                {t(`kinds.${kind}`)}
                {event && <PushFacts appId={appId} event={event} />}
              </Group>
            }
          >
            {event && (
              <Text>
                <Sentence text={event.explanation} />
              </Text>
            )}
            {entry?.linkId && <LinkName appId={appId} linkId={entry.linkId} link={links.get(entry.linkId)} />}
            {entry?.kind === 'tap' && (
              <TryIt url={links.get(entry.linkId ?? '')?.url} platform={timeline?.install?.platform} />
            )}
            {restore ? <RestoreCard as="div" opened restore={restore} links={links} keys={keys} /> : <When at={at} />}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

/** Leads from the registration for push of a phone to its starts, or back. Both are known to belong to one user. */
export function OtherPages({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('device');
  const { id: appId } = useApp();
  if (ids.length === 0) return t('noOther');
  return (
    <Group gap="sm">
      {[...new Set(ids)].map((deviceId) => (
        <PageLink key={deviceId} size="sm" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
          {shortId(deviceId)}
        </PageLink>
      ))}
    </Group>
  );
}

/** Leads to what the tap would get now, on a phone of this platform. */
function TryIt({ url, platform }: { url: string | undefined; platform: string | null | undefined }) {
  const t = useTranslations('device');
  const { data } = api.useQuery('get', '/api/manage/explain/devices', {}, { staleTime: Number.POSITIVE_INFINITY });
  const device = likeTap({ platform: platform ?? null, browser: null, inAppBrowser: null }, data?.devices ?? []);
  if (url === undefined || device === undefined) return null;
  return (
    <PageLink size="sm" to="/try" search={{ link: url, device }}>
      {t('try')}
    </PageLink>
  );
}

function PushFacts({ appId, event: { notificationId, state, title } }: { appId: string; event: DeviceEvent }) {
  const t = useTranslations('device');
  const deliveries = useTranslations('deliveries');
  return (
    <>
      {notificationId !== null && (
        <PageLink to="/apps/$appId/push/$notificationId" params={{ appId, notificationId }}>
          {title || t('untitled')}
        </PageLink>
      )}
      {state !== null && <State words={states.delivery} of={state} t={(word) => deliveries(`states.${word}`)} />}
    </>
  );
}
