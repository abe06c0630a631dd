// What a figure counts, one by one: when, on which link, where, with what, and what it leads to.
import type { paths } from '@landfall/api-client';
import { Text } from '@mantine/core';
import { useFormatter, useTimeZone, useTranslations } from 'use-intl';
import { DataTable } from '../page/data-table.tsx';
import { PageLink } from '../page/links.tsx';
import { dayOf } from '../time.tsx';
import classes from './analytics.module.css';
import { flagOf, useNames } from './names.ts';
import { metricOfRows, type RowFigure } from './rows.ts';
import { has } from './view.ts';

export const ROWS = '/api/manage/apps/{appId}/analytics/events';
export type CountedEvent = paths[typeof ROWS]['get']['responses'][200]['content']['application/json']['events'][number];

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
  const metric = metricOfRows(figure);
  // A value that is not known is empty: on a phone it has no line then.
  const told = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');
  const named = (dimension: 'platform' | 'via' | 'matchType' | 'language', value: string | null) =>
    value === null ? null : names.nameOf(dimension, { value });
  const isTap = metric === 'clicks' || metric === 'storeRedirects';
  return (
    <DataTable
      t={t}
      minWidth={900}
      rows={events}
      empty={t('empty')}
      columns={{
        at: {
          style: { whiteSpace: 'nowrap' },
          cell: ({ at }) => (
            <time dateTime={at} title={timeZone}>
              {format.dateTime(new Date(at), dayOf(at))}, <br className={classes.wide} />
              {format.dateTime(new Date(at), { timeStyle: 'medium' })}
            </time>
          ),
        },
        link: has(metric, 'link') && {
          w: 190,
          maw: 240,
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
        country: has(metric, 'country') && {
          cell: ({ country }) =>
            country === null ? '–' : `${flagOf('country', country)} ${names.nameOf('country', { value: country })}`,
        },
        device: ({ platform, os, appVersion, browser, inAppBrowser, language }) =>
          told(
            os ?? named('platform', platform),
            appVersion && t('version', { version: appVersion }),
            inAppBrowser ?? browser,
            named('language', language),
          ),
        via: has(metric, 'via') && {
          w: 140,
          style: { overflowWrap: 'anywhere' },
          cell: ({ via, referrer }) => told(named('via', via), referrer),
        },
        campaign: has(metric, 'utmCampaign') && {
          w: 130,
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
        wentTo: isTap && { cell: ({ answered }) => answered !== null && t(`answered.${answered}`) },
        decision: !isTap &&
          has(metric, 'matchType') && { cell: ({ matchType }) => told(named('matchType', matchType)) },
        leads: !isTap && {
          cell: ({ deviceId, link, at }) => (
            <>
              {deviceId !== null && (
                <PageLink size="sm" mr="sm" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
                  {t('toDevice')}
                </PageLink>
              )}
              {metric === 'restores' && link !== null && (
                <PageLink size="sm" to="/apps/$appId/restores" params={{ appId }} search={{ link: link.id, at }}>
                  {t('toRestore')}
                </PageLink>
              )}
            </>
          ),
        },
      }}
    />
  );
}
