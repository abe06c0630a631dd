// What a figure counts, one by one: when, on which link, where, with what, and what it leads to.
import type { paths } from '@landfall/api-client';
import { Text } from '@mantine/core';
import { useFormatter, useTimeZone, useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { sentToOf } from '../links/page/outcome.ts';
import { DataTable } from '../page/data-table.tsx';
import { PageLink } from '../page/links.tsx';
import { dayOf } from '../time.tsx';
import { flagOf, useNames } from './names.ts';
import { metricOfRows, type RowFigure } from './rows.ts';
import { has, type Metric } from './view.ts';

export const ROWS = '/api/manage/apps/{appId}/analytics/events';
export type CountedEvent = paths[typeof ROWS]['get']['responses'][200]['content']['application/json']['events'][number];

const CLOCK = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;

interface RowsTableProps {
  appId: string;
  figure: RowFigure;
  events: readonly CountedEvent[];
}

export function RowsTable({ appId, figure, events }: RowsTableProps) {
  const t = useTranslations('rows');
  const format = useFormatter();
  const timeZone = useTimeZone();
  const names = useNames();
  const app = useApp();
  const metric = metricOfRows(figure);
  // A value that is not known is empty: on a phone it has no line then.
  const told = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join(' · ');
  const named = (dimension: 'platform' | 'via' | 'matchType' | 'language', value: string | null) =>
    value === null ? null : names.nameOf(dimension, { value });
  const isTap = metric === 'clicks' || metric === 'storeRedirects';
  const thing = isTap || metric === 'opens' ? 'tap' : metric === 'restores' ? 'restore' : 'device';
  return (
    <DataTable
      t={t}
      dense
      highlightOnHover
      minWidth={900}
      rows={events}
      empty={t('empty')}
      columns={{
        at: {
          w: 150,
          style: { whiteSpace: 'nowrap' },
          cell: (event) => {
            const { at } = event;
            const time = (
              <time dateTime={at} title={timeZone}>
                {format.dateTime(new Date(at), { ...dayOf(at), ...CLOCK })}
              </time>
            );
            const place = thingOf(appId, event, metric);
            return place === null ? (
              time
            ) : (
              <PageLink size="sm" inherit data-row title={t(`opens.${thing}`)} {...place}>
                {time}
              </PageLink>
            );
          },
        },
        link: has(metric, 'link') && {
          w: 220,
          maw: 240,
          plain: true,
          cell: ({ link }) =>
            link !== null && (
              <PageLink
                size="sm"
                to="/apps/$appId/links/$linkId"
                params={{ appId, linkId: link.id }}
                style={{ overflowWrap: 'anywhere' }}
              >
                <bdi>{names.nameOf('link', { value: link.id, name: link.name })}</bdi>
              </PageLink>
            ),
        },
        country: has(metric, 'country') &&
          events.some(({ country }) => country !== null) && {
            plain: true,
            beside: true,
            cell: ({ country }) =>
              country !== null && `${flagOf('country', country)} ${names.nameOf('country', { value: country })}`,
          },
        device: {
          plain: true,
          style: { overflowWrap: 'anywhere' },
          cell: ({ platform, os, appVersion, browser, inAppBrowser, language, via, referrer }) => {
            // A tap on a link itself is the usual way.
            const way = told(via !== 'link' && named('via', via), referrer && t('from', { referrer }));
            return (
              <>
                {told(
                  os ?? named('platform', platform),
                  appVersion && t('version', { version: appVersion }),
                  inAppBrowser ?? browser,
                  named('language', language),
                )}{' '}
                {way !== '' && (
                  <Text size="xs" c="dimmed">
                    {way}
                  </Text>
                )}
              </>
            );
          },
        },
        campaign: has(metric, 'utmCampaign') && {
          w: 130,
          plain: true,
          style: { overflowWrap: 'anywhere' },
          cell: ({ utmCampaign, utmSource }) => (
            <>
              {utmCampaign && <bdi>{utmCampaign}</bdi>}
              {utmSource && (
                <Text size="xs" c="dimmed">
                  <bdi>{utmSource}</bdi>
                </Text>
              )}
            </>
          ),
        },
        wentTo: isTap && { cell: ({ answered }) => answered !== null && t(`answered.${sentToOf(answered, app)}`) },
        decision: !isTap &&
          has(metric, 'matchType') && {
            cell: ({ matchType }) => named('matchType', matchType),
          },
        // The time of another start leads to its device.
        leads: metric === 'restores' &&
          events.some(({ deviceId }) => deviceId !== null) && {
            plain: true,
            cell: ({ deviceId }) =>
              deviceId !== null && (
                <PageLink size="sm" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
                  {t('toDevice')}
                </PageLink>
              ),
          },
      }}
    />
  );
}

/** Returns where an event is explained: the tap on the page of its link, the restore, or the device. Null: nowhere. */
function thingOf(appId: string, { link, tapId, deviceId, at }: CountedEvent, metric: Metric) {
  if (metric === 'restores' && link !== null)
    return { to: '/apps/$appId/restores', params: { appId }, search: { link: link.id, at } } as const;
  if (deviceId !== null && metric !== 'clicks' && metric !== 'storeRedirects')
    return { to: '/apps/$appId/devices/$deviceId', params: { appId, deviceId }, search: {} } as const;
  if (link !== null)
    return {
      to: '/apps/$appId/links/$linkId',
      params: { appId, linkId: link.id },
      search: tapId === null ? {} : { tap: tapId },
    } as const;
  return null;
}
