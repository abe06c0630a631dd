import { linkNameOf } from '@landfall/api-client/link-name';
import { Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../api/index.ts';
import { rowButton, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { CommandButton, Loaded, Section } from '../page/page.tsx';
import { RowMenu } from '../page/row-menu.tsx';
import { useCommand } from '../page/use-command.ts';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago } from '../time.tsx';
import { AlertForm, useSentence } from './alert-form.tsx';
import { type Alert, type Channel, Receivers } from './shared.tsx';

export function Alerts({ channels }: { channels: readonly Channel[] }) {
  const t = useTranslations('alerts');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/alerts', { params: { path: { appId } } });
  return (
    <Section
      title={t('title')}
      actions={
        <WindowButton title={t('add')} variant="default">
          {(close) => <AlertForm channels={channels} onClose={close} />}
        </WindowButton>
      }
    >
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={3}>
        {({ alerts }) => (
          <>
            <Suggestions alerts={alerts} channels={channels} />
            <DataTable
              t={t}
              minWidth={760}
              rows={alerts}
              empty={t('empty')}
              columns={{
                name: (alert) => (
                  <>
                    <Text>{alert.name}</Text>
                    <Rule of={alert} />
                  </>
                ),
                state: (alert) => <Standing of={alert} />,
                to: ({ channelIds }) => <Receivers ids={channelIds} channels={channels} />,
                actions: (alert) => <Actions of={alert} channels={channels} />,
              }}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const SUGGESTED = ['restores', 'clicks', 'attributedInstalls'] as const;
const SUGGESTION = { rule: 'fall', bound: 50, window: '3h' } as const;

/** Alerts that every app should have. Each is made with one click, once there is a channel. */
function Suggestions({ alerts, channels }: { alerts: readonly Alert[]; channels: readonly Channel[] }) {
  const t = useTranslations('alerts');
  const { id: appId } = useApp();
  const ready = channels.filter(({ state }) => state === 'ready').map(({ id }) => id);
  const missing = SUGGESTED.filter((metric) => !alerts.some((one) => one.metric === metric && one.rule === 'fall'));
  if (missing.length === 0) return null;
  return (
    <Group gap="xs">
      <Text>{t(ready.length === 0 ? 'suggestedLater' : 'suggested')}</Text>
      {missing.map((metric) => (
        <CommandButton
          key={metric}
          {...rowButton}
          disabled={ready.length === 0}
          command={() =>
            client.POST('/api/manage/apps/{appId}/alerts', {
              params: { path: { appId } },
              body: { name: t(`suggestions.${metric}`), metric, ...SUGGESTION, channelIds: ready.slice(0, 1) },
            })
          }
        >
          {t(`suggestions.${metric}`)}
        </CommandButton>
      ))}
    </Group>
  );
}

function Rule({ of: alert }: { of: Alert }) {
  const t = useTranslations('alerts');
  const { filter } = alert;
  const { data } = api.useQuery(
    'get',
    '/api/manage/links/{linkId}',
    { params: { path: { linkId: filter?.value ?? '' } } },
    { enabled: filter?.dimension === 'link', retry: false },
  );
  const link = data?.link;
  const only = filter && (link ? linkNameOf(link) : filter.value);
  const sentenceOf = useSentence();
  return (
    <>
      <Text c="dimmed">{sentenceOf(alert)}</Text>
      {only && (
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('only', { only })}
        </Text>
      )}
    </>
  );
}

/** The state with the figures that make it so. */
function Standing({ of: alert }: { of: Alert }) {
  const t = useTranslations('alerts');
  const { paused, state, since, reason, figure, expected, snoozedUntil, checkedAt } = alert;
  const figures = figure !== null && t(expected === null ? 'figure' : 'figures', { figure, expected: expected ?? 0 });
  return (
    <>
      <State words={states.alert} of={alert} t={(word) => t(`states.${word}`)} />
      {!paused && state === 'unknown' && <Text>{t(`reasons.${reason ?? 'NONE'}`)}</Text>}
      {!paused && figures && <Text>{figures}</Text>}
      {!paused && state === 'firing' && <Ago at={since} />}
      {!paused && snoozedUntil !== null && <Ago at={snoozedUntil} />}
      {!paused && checkedAt !== null && (
        <Text component="div" c="dimmed">
          {t('checked')} <Ago at={checkedAt} />
        </Text>
      )}
    </>
  );
}

const SNOOZE_HOURS = 24;

function Actions({ of: alert, channels }: { of: Alert; channels: readonly Channel[] }) {
  const t = useTranslations('alerts');
  const { id: appId } = useApp();
  const { id: alertId, name, paused, state } = alert;
  const path = { params: { path: { appId, alertId } } };
  const pause = useCommand(() =>
    client.PATCH('/api/manage/apps/{appId}/alerts/{alertId}', { ...path, body: { paused: !paused } }),
  );
  const isSnoozed = state === 'snoozed';
  const snooze = () =>
    client.POST('/api/manage/apps/{appId}/alerts/{alertId}/snooze', {
      ...path,
      body: { hours: isSnoozed ? 0 : SNOOZE_HOURS },
    });
  const remove = () => client.DELETE('/api/manage/apps/{appId}/alerts/{alertId}', path);
  return (
    <Group gap="xs">
      {!paused && (
        <CommandButton
          {...rowButton}
          command={snooze}
          aria-label={t(isSnoozed ? 'wakeNamed' : 'snoozeNamed', { name })}
        >
          {t(isSnoozed ? 'wake' : 'snooze')}
        </CommandButton>
      )}
      <RowMenu
        label={t('actionsOf', { name })}
        actions={[
          { text: t('edit'), content: (close) => <AlertForm alert={alert} channels={channels} onClose={close} /> },
          { text: t(paused ? 'resume' : 'pause'), onClick: () => pause.mutate() },
          { text: t('remove'), question: t('removeText', { name }), onConfirm: remove },
        ]}
      />
    </Group>
  );
}
