// The taps of a link one by one, with what became of each.
import type { AuditEntry, paths } from '@landfall/api-client';
import { splitUtm } from '@landfall/api-client/utm';
import { Badge, type BadgeProps, Group, Paper, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useFormatter, useTimeZone, useTranslations } from 'use-intl';
import { api, useApp, useMe } from '../../../api/index.ts';
import { useNames } from '../../analytics/names.ts';
import { capital } from '../../capital.ts';
import { Copy } from '../../copy.tsx';
import { Disclosure } from '../../page/disclosure.tsx';
import { PageLink } from '../../page/links.tsx';
import { cursorPages, Loaded, Section } from '../../page/page.tsx';
import { Handed } from '../../restores/handed.tsx';
import { dayOf, Sentence } from '../../time.tsx';
import { likeTap } from '../../try/like-tap.ts';
import { CLOCK, Country, pages, ROWS, Rows } from './event-rows.tsx';
import type { WholeLink } from './facts.tsx';
import { sentToOfLink, wordOf } from './outcome.ts';
import classes from './taps.module.css';

const HISTORY = '/api/manage/links/{linkId}/history';
const TAPS = '/api/manage/links/{linkId}/taps';
type Tap = paths[typeof TAPS]['get']['responses'][200]['content']['application/json']['taps'][number];

const asked = (linkId: string, limit = ROWS) => ({ params: { path: { linkId }, query: { limit } } });

/** Of a tap that somebody looks for, so many pages are read, of so many rows. */
const WANTED = { rows: 100, pages: 10 };

interface TapsProps {
  link: WholeLink;
  /** The id of the tap that somebody looks for. It is opened and in view. */
  wanted: string | undefined;
}

export function Taps({ link, wanted }: TapsProps) {
  const t = useTranslations('linkEvents');
  const timeZone = useTimeZone() ?? '';
  const rows = wanted === undefined ? ROWS : WANTED.rows;
  const query = api.useInfiniteQuery('get', TAPS, asked(link.id, rows), pages);
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const history = useHistoryOf(link.id);
  const loaded = data?.pages.flatMap(({ taps }) => taps) ?? [];
  const isSearching =
    wanted !== undefined &&
    hasNextPage &&
    data!.pages.length < WANTED.pages &&
    !loaded.some(({ tapId }) => tapId === wanted);
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return (
    <Section title={t(loaded.some(({ answered }) => answered === 'app') ? 'tapsAndOpens' : 'taps')}>
      <Text>{t('tapsIntro', { timeZone })}</Text>
      <Loaded query={query} rows={4}>
        {({ taps }) => (
          <Rows empty={t('noTaps')} count={taps.length}>
            {taps.map((tap) => (
              <TapRow key={tap.tapId} tap={tap} link={link} history={history} isWanted={tap.tapId === wanted} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

/** Returns the latest changes of the link, which its page shows, too. Undefined: they are not known. */
function useHistoryOf(linkId: string): readonly AuditEntry[] | undefined {
  // A visitor of a demo sees no people, and so no changes.
  const enabled = useMe().kind !== 'visitor';
  const { data } = api.useInfiniteQuery('get', HISTORY, { params: { path: { linkId } } }, { ...cursorPages, enabled });
  return data?.pages.flatMap(({ entries }) => entries);
}

/** Brings it into view when it is there for the first time. */
const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' });

interface TapRowProps {
  tap: Tap;
  link: WholeLink;
  history: readonly AuditEntry[] | undefined;
  isWanted: boolean;
}

/** How a state looks. The others are as usual as a tap that waits. */
const LOOKS: Partial<Record<Tap['outcome']['state'], BadgeProps>> = {
  given: { variant: 'filled' },
  opened: { variant: 'filled', color: 'green.9' },
  unclaimed: { variant: 'filled', color: 'gray.8' },
};

/** A tap in one line. Opened, it says why, and leads on. */
function TapRow({ tap, link, history, isWanted }: TapRowProps) {
  const t = useTranslations('linkEvents');
  const format = useFormatter();
  const app = useApp();
  const appId = app.id;
  const { data } = api.useQuery('get', '/api/manage/explain/devices', {}, { staleTime: Number.POSITIVE_INFINITY });
  const { id: linkId, url, destination } = link;
  const { tapId, at, country, outcome, answered } = tap;
  const device = data && likeTap(tap, data.devices);
  return (
    <Paper
      component="li"
      withBorder
      ref={isWanted ? intoView : undefined}
      {...(isWanted && { className: classes.wanted!, 'aria-current': true })}
    >
      <Disclosure
        inCard
        opened={isWanted}
        className={classes.summary}
        summary={
          <>
            <Text component="time" dateTime={at}>
              {format.dateTime(new Date(at), { ...dayOf(at), ...CLOCK })}
            </Text>
            <Text c="dimmed">
              <Country code={country} />
            </Text>
            <DeviceOf tap={tap} campaign={splitUtm(destination).utm.utm_campaign} />
            <Text>
              {t('got')}: {t(`answers.${sentToOfLink(tap, link, app, history)}`)}
            </Text>
            <div>
              <Badge variant="default" {...LOOKS[outcome.state]}>
                {t(`states.${wordOf(outcome)}`)}
              </Badge>
              {outcome.state === 'unknown' && (
                <Text size="xs" c="dimmed">
                  {outcome.why}
                </Text>
              )}
            </div>
          </>
        }
      >
        {outcome.state !== 'unknown' && (
          <Text>
            <Sentence text={capital(outcome.why)} />{' '}
            {outcome.state === 'unclaimed' && (
              <PageLink
                size="sm"
                underline="always"
                to="/docs/$"
                params={{ _splat: 'explanation/matching' }}
                hash="four-tiers"
              >
                {t('token')}
              </PageLink>
            )}
          </Text>
        )}
        {outcome.state === 'given' && <Handed destination={destination} />}
        <Group gap="4px 12px">
          {device !== undefined && (
            <PageLink
              size="sm"
              underline="always"
              to="/try"
              search={{ link: url, device, ...(answered === 'app' && { installed: true }) }}
            >
              {t('try')}
            </PageLink>
          )}
          {outcome.deviceId !== null && (
            <PageLink
              size="sm"
              underline="always"
              to="/apps/$appId/devices/$deviceId"
              params={{ appId, deviceId: outcome.deviceId }}
            >
              {t('device')}
            </PageLink>
          )}
          {outcome.restoreId !== null && (
            <PageLink
              size="sm"
              underline="always"
              to="/apps/$appId/restores"
              params={{ appId }}
              search={{ link: linkId }}
            >
              {t('restore')}
            </PageLink>
          )}
        </Group>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('tap', { id: tapId })}
          </Text>
          <Copy value={tapId} label={t('copyTap')} />
        </Group>
      </Disclosure>
    </Paper>
  );
}

/** The device, the browser, and where the tap came from. The campaign of its link is not named again. */
function DeviceOf({ tap, campaign }: { tap: Tap; campaign: string | undefined }) {
  const t = useTranslations('linkEvents');
  const names = useNames();
  const { platform, os, osVersion, browser, inAppBrowser, referrer, via, utmCampaign } = tap;
  const nameOf = (dimension: 'platform' | 'via', value: string | null) => value && names.nameOf(dimension, { value });
  const system = os ?? nameOf('platform', platform);
  const from = [
    via !== 'link' && nameOf('via', via),
    referrer && t('from', { referrer }),
    utmCampaign !== campaign && utmCampaign,
  ];
  return (
    <div>
      <Text>
        {[[system, osVersion].filter(Boolean).join(' '), inAppBrowser ?? browser].filter(Boolean).join(' · ') ||
          t('noDevice')}
      </Text>
      <Text size="xs" c="dimmed">
        {from.filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}
