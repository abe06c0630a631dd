import type { paths } from '@landfall/api-client';
import { ColorSwatch, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { api, askEvery } from '../../api/index.ts';
import { PageLink } from '../page/links.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { type Explained, useReason, useResult } from '../restores/result.ts';
import { shortId } from '../short-id.ts';
import { Ago } from '../time.tsx';
import { deviceIdIn, joined, kindOfMany, mayGoOn } from './join.ts';
import { KINDS, type LiveItem } from './live-events.ts';

/** What an event says of its circumstances, in this order. */
const FACTS = ['os', 'browser', 'inAppBrowser', 'country', 'referrer', 'via', 'utmCampaign', 'matchType', 'appVersion'];

const plain = { component: 'ul', p: 0, m: 0, style: { listStyle: 'none' } } as const;
const keyOf = ({ kind, id }: LiveItem): string => `${kind} ${id}`;

interface LiveListProps {
  appId: string;
  /** Newest first. */
  items: readonly LiveItem[];
  /** The most groups that are shown. Default: all. */
  most?: number;
  /** True: there may be older rows than these. */
  goesOn?: boolean;
}

/** The rows, newest first. Those of one device within seconds stand together, and pushes and registrations are one row. */
export function LiveList({ appId, items, most, goesOn = false }: LiveListProps) {
  const t = useTranslations('live');
  const groups = joined(items).slice(0, most);
  return (
    // The times of rows change each second: only a new row is said.
    <Stack gap="xs" {...plain} aria-live="polite" aria-relevant="additions">
      {groups.map((group) => (
        // A group keeps its place on the page while rows join it at its top.
        <Paper component="li" withBorder p="sm" key={keyOf(group.at(-1)!)}>
          {group.length === 1 ? (
            <Row appId={appId} item={group[0]!} alone />
          ) : kindOfMany(group) ? (
            <Many appId={appId} group={group} goesOn={goesOn && mayGoOn(group, items)} />
          ) : (
            <>
              <Group gap="xs" mb={6}>
                <Text fw={600}>{t('oneDevice')}</Text>
                <ToDevice appId={appId} group={group} />
              </Group>
              <Stack gap={6} {...plain}>
                {group.map((item, place) => (
                  <li key={keyOf(item)}>
                    <Row appId={appId} item={item} named={group.slice(0, place).some(hasLinkOf(item))} />
                  </li>
                ))}
              </Stack>
            </>
          )}
        </Paper>
      ))}
      {goesOn && groups.some((group) => !kindOfMany(group) && mayGoOn(group, items)) && (
        <Text component="li" c="dimmed">
          {t('goesOn')}
        </Text>
      )}
    </Stack>
  );
}

const hasLinkOf = (item: LiveItem) => (other: LiveItem) =>
  other.linkId === item.linkId && other.linkName === item.linkName;

function ToDevice({ appId, group }: { appId: string; group: readonly LiveItem[] }) {
  const t = useTranslations('live');
  const device = deviceIdIn(group);
  if (device === null) return null;
  return (
    <PageLink size="sm" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId: device }}>
      {t('device', { id: shortId(device) })}
    </PageLink>
  );
}

function Many({ appId, group, goesOn }: { appId: string; group: readonly LiveItem[]; goesOn: boolean }) {
  const t = useTranslations('live');
  const kind = kindOfMany(group)!;
  const isPush = kind === 'pushSent';
  return (
    <Line kind={kind} at={group[0]!.at}>
      <Text fw={600}>{t(`${goesOn ? 'manyOrMore' : 'many'}.${kind}`, { count: group.length })}</Text>
      <PageLink size="sm" to={isPush ? '/apps/$appId/push' : '/apps/$appId/devices'} params={{ appId }}>
        {t(isPush ? 'toPushes' : 'toDevices')}
      </PageLink>
    </Line>
  );
}

/** A line with its dot. The time stays at the right of the first line, however long the line is. */
function Line({ kind, at, children }: Pick<LiveItem, 'kind' | 'at'> & { children: ReactNode }) {
  return (
    <Group gap={10} wrap="nowrap" align="flex-start">
      <ColorSwatch size={8} mt={7} withShadow={false} color={`var(--mantine-color-${KINDS[kind]})`} aria-hidden />
      <Group gap="0 10px" miw={0} flex={1}>
        {children}
      </Group>
      <Text component="div" style={{ flexShrink: 0, whiteSpace: 'nowrap' }}>
        <Ago at={at} />
      </Text>
    </Group>
  );
}

interface RowProps {
  appId: string;
  item: LiveItem;
  /** No heading names its device. */
  alone?: boolean;
  /** A row above names its link. */
  named?: boolean;
}

function Row({ appId, item, alone = false, named = false }: RowProps) {
  const names = useTranslations('live.platforms');
  const result = useResult();
  const { kind, at, linkId, linkName } = item;
  const decided = kind === 'decision' ? (item as unknown as Decision) : null;
  return (
    <>
      <Line kind={kind} at={at}>
        <Kind appId={appId} item={item} />
        <Text>{decided ? result(decided) : factsOf(item, names)}</Text>
        {!named && typeof linkId === 'string' && typeof linkName === 'string' && (
          <PageLink
            size="sm"
            to="/apps/$appId/links/$linkId"
            params={{ appId, linkId }}
            style={{ overflowWrap: 'anywhere' }}
          >
            <bdi>{linkName}</bdi>
          </PageLink>
        )}
        {alone && <ToDevice appId={appId} group={[item]} />}
      </Line>
      {decided && <Why decided={decided} />}
    </>
  );
}

function Why({ decided }: { decided: Decision }) {
  const { said, reason } = useReason()(decided);
  return (
    <>
      <Text mt={2} pl={18} size="xs" c="dimmed">
        {reason}
      </Text>
      <Reasons considered={decided.considered} said={said} />
    </>
  );
}

/** The kind of an event. It leads to the page that explains the event. */
function Kind({ appId, item }: { appId: string; item: LiveItem }) {
  const t = useTranslations('live');
  const { id, kind, at, linkId } = item;
  const text = t(`kinds.${kind}`);
  const link = { size: 'sm', fw: 600 } as const;
  if (kind === 'restore' || kind === 'decision')
    return (
      <PageLink
        {...link}
        to="/apps/$appId/restores"
        params={{ appId }}
        search={{ at, ...(typeof linkId === 'string' && { link: linkId }) }}
      >
        {text}
      </PageLink>
    );
  if (typeof linkId === 'string')
    return (
      <PageLink
        {...link}
        to="/apps/$appId/links/$linkId"
        params={{ appId, linkId }}
        search={kind === 'click' || kind === 'open' ? { tap: id } : {}}
      >
        {text}
      </PageLink>
    );
  return <Text fw={600}>{text}</Text>;
}

/** A restore, as the stream of events and the list of restores have it. */
interface Decision extends Explained {
  considered: readonly Considered[];
}

const PLATFORMS = ['ios', 'android', 'desktop'] as const;

/** The facts of an event. The system says the platform, too, so that one of them is enough. */
function factsOf(item: LiveItem, names: (platform: (typeof PLATFORMS)[number]) => string): string {
  const platform = PLATFORMS.find((one) => one === item.platform);
  // A tap on a link itself is the usual way.
  const told = FACTS.map((name) => (name === 'via' && item.via === 'link' ? null : item[name]));
  return [!item.os && platform && names(platform), ...told]
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' · ');
}

interface Considered {
  linkId: string;
  taken: boolean;
  reason: string;
}

/** The links of equal reasons that are named. Of a crowd, some are enough. */
const MOST_LINKS = 3;

interface ReasonsProps {
  considered: readonly Considered[];
  /** Names a link. Left out: links are not named. */
  nameOf?: (linkId: string) => ReactNode;
  /** A reason that stands above already. */
  said?: string;
}

/** The taps that a decision looked at. Those with one reason share a line. */
export function Reasons({ considered, nameOf, said }: ReasonsProps) {
  const t = useTranslations('restores');
  const all = Map.groupBy(considered, ({ taken, reason }) => `${taken} ${reason}`);
  // One tap whose reason stands above, and whose link is not named, has nothing to add.
  const lines = [...all].filter(([, taps]) => nameOf || taps.length > 1 || taps[0]!.reason !== said);
  if (lines.length === 0) return null;
  return (
    <Stack gap={4} mt="xs">
      {lines.map(([key, taps]) => {
        const { taken, reason } = taps[0]!;
        const count = taps.length;
        const text = reason === said ? t('taps', { count }) : count === 1 ? reason : t('times', { count, reason });
        const links = [...new Set(taps.map(({ linkId }) => linkId))];
        return (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
            <Text fw={taken ? 600 : 400} style={{ flexShrink: 0 }}>
              {taken ? t('given') : t('notGiven')}:
            </Text>
            <Stack gap={0} miw={0}>
              <Text>{text}</Text>
              {nameOf && links.slice(0, MOST_LINKS).map((linkId) => <Fragment key={linkId}>{nameOf(linkId)}</Fragment>)}
              {nameOf && links.length > MOST_LINKS && (
                <Text>{t('moreLinks', { count: links.length - MOST_LINKS })}</Text>
              )}
            </Stack>
          </Group>
        );
      })}
    </Stack>
  );
}

/** Groups of rows, and the rows that are read for them: those of a push are one group. */
const LATEST = 8;
const READ = 50;

const EVENTS = '/api/manage/apps/{appId}/events';
type EventsAsked = NonNullable<paths[typeof EVENTS]['get']['parameters']['query']>;

export const latestEvents = (appId: string, query: EventsAsked) =>
  api.queryOptions('get', EVENTS, { params: { path: { appId }, query } });

export function Latest({ appId }: { appId: string }) {
  const t = useTranslations('home');
  const query = useQuery({ ...latestEvents(appId, { limit: READ }), refetchInterval: askEvery(30_000) });
  return (
    <Section
      title={t('latest')}
      actions={
        <PageLink size="sm" to="/apps/$appId/live" params={{ appId }}>
          {t('watch')}
        </PageLink>
      }
    >
      <Loaded query={query} rows={LATEST}>
        {({ events }) =>
          events.length === 0 ? (
            <Text>{t('noEvents')}</Text>
          ) : (
            <LiveList appId={appId} items={events} most={LATEST} goesOn={events.length === READ} />
          )
        }
      </Loaded>
    </Section>
  );
}
