// The installs that a link led to.
import type { paths } from '@landfall/api-client';
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { useNames } from '../../analytics/names.ts';
import { PageLink } from '../../page/links.tsx';
import { Loaded, Section } from '../../page/page.tsx';
import { dayOf } from '../../time.tsx';
import { CLOCK, Country, pages, ROWS, Rows } from './event-rows.tsx';

const INSTALLS = '/api/manage/links/{linkId}/installs';
type Install = paths[typeof INSTALLS]['get']['responses'][200]['content']['application/json']['installs'][number];

export function Installs({ linkId }: { linkId: string }) {
  const t = useTranslations('linkEvents');
  const query = api.useInfiniteQuery('get', INSTALLS, { params: { path: { linkId }, query: { limit: ROWS } } }, pages);
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

interface RowProps {
  at: string;
  country: string | null;
  device: ReactNode;
  /** The outcome of the event. */
  children: ReactNode;
}

/** One event: when and where, with what, and what became of it. On a phone these are below each other. */
function Row({ at, country, device, children }: RowProps) {
  const format = useFormatter();
  return (
    <Paper component="li" withBorder p="sm">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: 4, sm: 'md' }}>
        <div>
          <Text component="time" dateTime={at}>
            {format.dateTime(new Date(at), { ...dayOf(at), ...CLOCK })}
          </Text>
          <Text size="xs" c="dimmed">
            <Country code={country} />
          </Text>
        </div>
        <div>{device}</div>
        <div>{children}</div>
      </SimpleGrid>
    </Paper>
  );
}
