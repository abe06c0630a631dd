import type { paths } from '@landfall/api-client';
import { Group, List, Paper, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/index.ts';
import { Disclosure } from '../page/disclosure.tsx';
import { PageLink } from '../page/links.tsx';
import { cursorPages, Loaded, Section } from '../page/page.tsx';
import { shortId } from '../short-id.ts';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago, Sentence } from '../time.tsx';
import { PersonSearch } from './person-search.tsx';

const STATES = ['queued', 'sent', 'logged', 'failed', 'unknown', 'stopped', 'none'] as const;
type DeliveryState = (typeof STATES)[number];

/** What became of a push on each device, or on the devices of one person. */
export function Deliveries({ appId, notificationId }: { appId: string; notificationId: string }) {
  const t = useTranslations('deliveries');
  const [state, setState] = useState<DeliveryState | null>(null);
  const [person, setPerson] = useState('');
  const userEmail = person || undefined;
  const params = { path: { notificationId }, query: { limit: 50, userEmail, ...(state !== null && { state }) } };
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/notifications/{notificationId}/deliveries',
    { params },
    cursorPages,
  );
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <PersonSearch label={t('person')} w={{ base: '100%', xs: 'auto' }} submit={t('show')} onSearch={setPerson}>
        <Select
          label={t('state')}
          placeholder={t('anyState')}
          clearable
          allowDeselect
          data={STATES.filter((one) => one !== 'none' || userEmail !== undefined).map((value) => ({
            value,
            label: t(`states.${value}`),
          }))}
          value={state}
          onChange={(value) => setState(value as DeliveryState | null)}
        />
      </PersonSearch>
      <Loaded query={query}>
        {({ deliveries, explanation }) =>
          deliveries.length === 0 ? (
            <Text size="md">{explanation ?? t('empty')}</Text>
          ) : (
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {[...Map.groupBy(deliveries, resultOf)].map(([result, same]) => (
                <Result key={result} appId={appId} deliveries={same} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

type Delivery =
  paths['/api/manage/notifications/{notificationId}/deliveries']['get']['responses'][200]['content']['application/json']['deliveries'][number];

/** Of so many devices with one result, each is shown at first. */
const FEW = 3;

/** Devices with one result stand together. The times in its explanation do not tell results apart. */
const resultOf = ({ state, explanation }: Delivery) =>
  `${state} ${explanation.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')}`;

function Result({ appId, deliveries }: { appId: string; deliveries: readonly Delivery[] }) {
  const t = useTranslations('deliveries');
  const platforms = useTranslations('clients.platforms');
  const [{ state, explanation }] = deliveries as [Delivery];
  const isOne = deliveries.every((one) => one.explanation === explanation);
  return (
    <Paper component="li" withBorder>
      <Disclosure
        inCard
        opened={deliveries.length <= FEW}
        summary={
          <Group gap="4px 10px">
            <State words={states.delivery} of={state} t={(word) => t(`states.${word}`)} />
            <Text fw={600}>{t('count', { count: deliveries.length })}</Text>
            {isOne && (
              <Text>
                <Sentence text={explanation} />
              </Text>
            )}
          </Group>
        }
      >
        <List size="sm" listStyleType="none" spacing={4}>
          {deliveries.map(({ id, deviceId, platform, kind, explanation, endedAt }) => (
            <List.Item key={id ?? deviceId}>
              <PageLink size="sm" ff="monospace" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId }}>
                {shortId(deviceId)}
              </PageLink>{' '}
              · {platform === null ? t('gone') : platforms(platform)} · {t(`kinds.${kind}`)}
              {endedAt && (
                <>
                  {' '}
                  · <Ago at={endedAt} />
                </>
              )}
              {!isOne && (
                <Text>
                  <Sentence text={explanation} />
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      </Disclosure>
    </Paper>
  );
}
