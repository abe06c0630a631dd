import type { Notification } from '@landfall/api-client';
import { Card, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../../../api/index.ts';
import { ConfirmButton } from '../../../../parts/page/buttons.tsx';
import { DataTable } from '../../../../parts/page/data-table.tsx';
import { PageButton } from '../../../../parts/page/links.tsx';
import { Loaded, Page, Section } from '../../../../parts/page/page.tsx';
import { Deliveries } from '../../../../parts/push/deliveries.tsx';
import { notificationQuery, openRate, resultsOf } from '../../../../parts/push/notification.ts';
import { Preview } from '../../../../parts/push/preview.tsx';
import { PushTime } from '../../../../parts/push/push-time.tsx';
import { useTargetText } from '../../../../parts/push/use-target-text.ts';
import { RATE } from '../../../../parts/rate.ts';
import { State } from '../../../../parts/states/state.tsx';
import { states } from '../../../../parts/states/states.ts';

export const Route = createFileRoute('/_app/apps/$appId/push/$notificationId')({ component: OnePush });

function OnePush() {
  const t = useTranslations('push');
  const { appId, notificationId } = Route.useParams();
  const { name } = useApp();
  const query = useQuery(notificationQuery(notificationId));
  const push = query.data?.notification;
  return (
    <Page title={push?.message.title || t('one')} actions={push && <Actions push={push} />}>
      <Loaded query={query} rows={10}>
        {({ notification, reasons }) => (
          <>
            <Group gap="xs">
              <State words={states.push} of={notification} t={(word) => t(`statuses.${word}`)} />
              <PushTime push={notification} />
              {notification.message.test && <Text>· {t('isTest')}</Text>}
            </Group>
            {notification.status !== 'cancelled' && <Results push={notification} />}
            {reasons.length > 0 && <Reasons reasons={reasons} />}
            <Preview appName={name} push={notification.message} />
            <Content push={notification} />
            <Deliveries appId={appId} notificationId={notificationId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** A push that is planned can be edited and cancelled, one that is on its way can be stopped, and any can be sent once more. */
function Actions({ push }: { push: Notification }) {
  const t = useTranslations('push');
  const { id: notificationId, appId, status } = push;
  const maySend = useMay('member');
  if (!maySend) return null;
  const act = status === 'scheduled' ? 'cancel' : status === 'sending' ? 'stop' : null;
  async function end() {
    const path = { params: { path: { notificationId } } };
    if (act === 'cancel') await client.POST('/api/manage/notifications/{notificationId}/cancel', path);
    else await client.POST('/api/manage/notifications/{notificationId}/stop', path);
  }
  return (
    <>
      {status === 'scheduled' && (
        <PageButton variant="default" to="/apps/$appId/push/$notificationId/edit" params={{ appId, notificationId }}>
          {t('edit')}
        </PageButton>
      )}
      <PageButton variant="default" to="/apps/$appId/push/new" params={{ appId }} search={{ like: notificationId }}>
        {t('again')}
      </PageButton>
      {act && (
        <ConfirmButton
          color="red.9"
          title={t(act)}
          action={t(`${act}Now`)}
          onConfirm={end}
          danger
          text={t(`${act}Text`)}
        />
      )}
    </>
  );
}

function Results({ push }: { push: Notification }) {
  const t = useTranslations('push');
  const format = useFormatter();
  const { targeted } = push;
  const rate = openRate(push);
  // Of a push that no provider got, the other results are not known.
  const known = resultsOf(push).flatMap(({ result, count }) => (count === null ? [] : [{ result, count }]));
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Card withBorder padding="md">
        <Text>{t('targeted')}</Text>
        <Text size="xl" fw={700}>
          {format.number(targeted)}
        </Text>
      </Card>
      {known.map(({ result, count }) => (
        <Card withBorder padding="md" key={result}>
          <Text>{t(`results.${result}`)}</Text>
          <Group gap="xs" align="baseline">
            <Text size="xl" fw={700}>
              {format.number(count)}
            </Text>
            {result === 'opened' && rate !== null && <Text>{format.number(rate, RATE)}</Text>}
          </Group>
          <Progress value={targeted === 0 ? 0 : (100 * count) / targeted} aria-label={t(`results.${result}`)} />
        </Card>
      ))}
    </SimpleGrid>
  );
}

function Reasons({ reasons }: { reasons: { reason: string; count: number }[] }) {
  const t = useTranslations('push');
  const format = useFormatter();
  return (
    <Section title={t('reasons')}>
      <DataTable
        rows={reasons}
        rowKey="reason"
        columns={{
          reason: { style: { overflowWrap: 'anywhere' }, cell: ({ reason }) => reason },
          count: { ta: 'right', cell: ({ count }) => format.number(count) },
        }}
      />
    </Section>
  );
}

function Content({ push: { message, target } }: { push: Notification }) {
  const t = useTranslations('push');
  const textOf = useTargetText();
  return (
    <Stack gap={4}>
      <Text>
        {t('audience')}: {textOf(target)}
      </Text>
      {message.destinationPath !== null && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t('destinationPath')}: {message.destinationPath}
        </Text>
      )}
    </Stack>
  );
}
