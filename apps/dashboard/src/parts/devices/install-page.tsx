import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, useApp } from '../../api/index.ts';
import { Facts } from '../page/data-table.tsx';
import { Loaded, Page, Section } from '../page/page.tsx';
import { shortId } from '../short-id.ts';
import { Ago } from '../time.tsx';
import { type DeviceTimeline, DeviceTimelineList, OtherPages, TIMELINE } from './timeline.tsx';

/** A device as its starts tell of it, whether it is registered for push or not. Its id is a hash. */
export function InstallPage({ deviceId }: { deviceId: string }) {
  const t = useTranslations('device');
  const { id: appId } = useApp();
  const query = api.useQuery('get', TIMELINE, { params: { path: { appId, deviceId } } });
  return (
    <Page title={t('title', { id: shortId(deviceId) })}>
      <Loaded query={query} rows={10}>
        {(timeline) => (
          <>
            {timeline.install && <About id={deviceId} install={timeline.install} entries={timeline.entries} />}
            <Section title={t('history')}>
              <Text>{t('installText')}</Text>
              <DeviceTimelineList appId={appId} timeline={timeline} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface AboutProps {
  id: string;
  install: NonNullable<DeviceTimeline['install']>;
  entries: DeviceTimeline['entries'];
}

function About({ id, install, entries }: AboutProps) {
  const t = useTranslations('device');
  const devices = useTranslations('devices');
  const clients = useTranslations('clients');
  const { platform, firstSeen, lastSeen, isShared } = install;
  return (
    <Stack gap="xs">
      {isShared && <Text>{t('shared')}</Text>}
      <Facts
        maw={640}
        of={{
          [t('id')]: id,
          [t('platform')]: clients(`platforms.${platform ?? 'unknown'}`),
          [t('registrations')]: <OtherPages ids={entries.flatMap(({ deviceId }) => deviceId ?? [])} />,
          [devices('firstSeen')]: <Ago at={firstSeen} />,
          [devices('lastSeen')]: <Ago at={lastSeen} />,
        }}
      />
    </Stack>
  );
}
