// The taps of a link one by one, with what became of each, and the installs that it led to.
import type { paths } from '@landfall/api-client';
import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTimeZone, useTranslations } from 'use-intl';
import { api, askEvery, useApp } from '../../../api/index.ts';
import { flagOf, useNames } from '../../analytics/names.ts';
import { PageLink } from '../../page/links.tsx';
import { cursorPages, Loaded, Section } from '../../page/page.tsx';
import { Sentence, When } from '../../time.tsx';
import { likeTap } from '../../try/like-tap.ts';

const TAPS = '/api/manage/links/{linkId}/taps';
const INSTALLS = '/api/manage/links/{linkId}/installs';
type AnswerOf<P extends typeof TAPS | typeof INSTALLS> =
  paths[P]['get']['responses'][200]['content']['application/json'];
type Tap = AnswerOf<typeof TAPS>['taps'][number];
type Install = AnswerOf<typeof INSTALLS>['installs'][number];

/** Rows of a page, and milliseconds after which the first ones are asked for again. */
const ROWS = 10;
const FRESH_MS = 15_000;
const pages = { ...cursorPages, refetchInterval: askEvery(FRESH_MS) };
const asked = (linkId: string) => ({ params: { path: { linkId }, query: { limit: ROWS } } });

export function Taps({ linkId, url }: { linkId: string; url: string }) {
  const t = useTranslations('linkEvents');
  const query = api.useInfiniteQuery('get', TAPS, asked(linkId), pages);
  return (
    <Section title={t('taps')}>
      <Text>{t('tapsIntro', { timeZone: useTimeZone() ?? '' })}</Text>
      <Loaded query={query} rows={4}>
        {({ taps }) => (
          <Rows empty={t('noTaps')} count={taps.length}>
            {taps.map((tap) => (
              <TapRow key={tap.tapId} tap={tap} url={url} linkId={linkId} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

function TapRow({ tap, url, linkId }: { tap: Tap; url: string; linkId: string }) {
  const t = useTranslations('linkEvents');
  const { id: appId } = useApp();
  const { data } = api.useQuery('get', '/api/manage/explain/devices', {}, { staleTime: Number.POSITIVE_INFINITY });
  const { outcome, answered } = tap;
  const device = data && likeTap(tap, data.devices);
  return (
    <Row at={tap.at} country={tap.country} device={<DeviceOf tap={tap} />}>
      <Text>
        {t('got')}: {t(`answers.${answered ?? 'unknown'}`)}{' '}
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
      </Text>
      <Text>
        <b>{t(`states.${outcome.state}`)}</b> <Sentence text={outcome.why} />{' '}
        {outcome.deviceId !== null && (
          <PageLink
            size="sm"
            underline="always"
            to="/apps/$appId/devices/$deviceId"
            params={{ appId, deviceId: outcome.deviceId }}
          >
            {t('device')}
          </PageLink>
        )}{' '}
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
      </Text>
    </Row>
  );
}

/** The device, the browser, and where the tap came from. */
function DeviceOf({ tap }: { tap: Tap }) {
  const t = useTranslations('linkEvents');
  const names = useNames();
  const { platform, os, osVersion, browser, inAppBrowser, referrer, via, utmCampaign } = tap;
  const nameOf = (dimension: 'platform' | 'via', value: string | null) => value && names.nameOf(dimension, { value });
  const system = os ?? nameOf('platform', platform);
  return (
    <>
      <Text>
        {[[system, osVersion].filter(Boolean).join(' '), inAppBrowser ?? browser].filter(Boolean).join(' · ') ||
          t('noDevice')}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[via !== 'link' && nameOf('via', via), referrer && t('from', { referrer }), utmCampaign]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </>
  );
}

export function Installs({ linkId }: { linkId: string }) {
  const t = useTranslations('linkEvents');
  const query = api.useInfiniteQuery('get', INSTALLS, asked(linkId), pages);
  return (
    <Section title={t('installs')}>
      <Loaded query={query} rows={2}>
        {({ installs }) => (
          <Rows empty={t('noInstalls')} count={installs.length}>
            {installs.map((install) => (
              <InstallRow key={`${install.at} ${install.tapId} ${install.deviceId}`} install={install} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

function InstallRow({ install }: { install: Install }) {
  const t = useTranslations('linkEvents');
  const restores = useTranslations('restores.matchTypes');
  const names = useNames();
  const { id: appId } = useApp();
  const { at, country, platform, appVersion, via, sure, deviceId } = install;
  return (
    <Row
      at={at}
      country={country}
      device={
        <Text>
          {[names.nameOf('platform', { value: platform }), appVersion && t('version', { version: appVersion })]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      }
    >
      <Text>
        {via !== null && t(sure ? 'sure' : 'likely', { how: restores(via) })}{' '}
        {deviceId === null ? (
          t('deviceGone')
        ) : (
          <PageLink size="sm" underline="always" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
            {t('device')}
          </PageLink>
        )}
      </Text>
    </Row>
  );
}

function Rows({ count, empty, children }: { count: number; empty: string; children: ReactNode }) {
  if (count === 0) return <Text size="md">{empty}</Text>;
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}

interface RowProps {
  at: string;
  country: string | null;
  device: ReactNode;
  /** What became of it. */
  children: ReactNode;
}

/** One event: when and where, with what, and what became of it. On a phone these are below each other. */
function Row({ at, country, device, children }: RowProps) {
  const t = useTranslations('linkEvents');
  const names = useNames();
  return (
    <Paper component="li" withBorder p="sm">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: 4, sm: 'md' }}>
        <div>
          <When at={at} />
          <Text size="xs" c="dimmed">
            {country === null ? (
              t('noCountry')
            ) : (
              <>
                <span aria-hidden>{flagOf('country', country)} </span>
                {names.nameOf('country', { value: country })}
              </>
            )}
          </Text>
        </div>
        <div>{device}</div>
        <div>{children}</div>
      </SimpleGrid>
    </Paper>
  );
}
