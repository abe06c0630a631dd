import { linkNameOf } from '@landfall/api-client/link-name';
import { Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../api/index.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { rowButton, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { CommandButton, Loaded, Section } from '../page/page.tsx';
import { RowMenu } from '../page/row-menu.tsx';
import { useCommand } from '../page/use-command.ts';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago } from '../time.tsx';
import { type Alert, type Channel, ChannelField, Receivers } from './shared.tsx';

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

const SUGGESTED = ['restores', 'clicks'] as const;
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

function Rule({ of: { metric, rule, bound, window, filter } }: { of: Alert }) {
  const t = useTranslations('alerts');
  const { data } = api.useQuery(
    'get',
    '/api/manage/links/{linkId}',
    { params: { path: { linkId: filter?.value ?? '' } } },
    { enabled: filter?.dimension === 'link', retry: false },
  );
  const link = data?.link;
  const only = filter && (link ? linkNameOf(link) : filter.value);
  const text = t(`sentences.${rule}`, {
    metric: t(`metrics.${metric}`),
    bound: bound ?? 0,
    window: t(`windows.${window}`),
  });
  return (
    <>
      <Text c="dimmed">{text}</Text>
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

const METRICS = ['clicks', 'installs', 'restores'] as const;
const RULES = ['fall', 'rise', 'silence', 'above', 'below'] as const;
const WINDOWS = ['1h', '3h', '6h', '12h', '24h', 'day'] as const;
/** What a metric is counted by. */
const FILTERS = { clicks: ['utmCampaign', 'link'], installs: [], restores: ['link'] } as const;
const NONE = 'none';

interface AlertFormProps {
  /** Without it the form makes an alert. */
  alert?: Alert;
  channels: readonly Channel[];
  onClose: () => void;
}

function AlertForm({ alert, channels, onClose }: AlertFormProps) {
  const t = useTranslations('alerts');
  const { id: appId } = useApp();
  const form = useCommandForm(t, {
    initialValues: {
      name: alert?.name ?? '',
      metric: alert?.metric ?? 'clicks',
      rule: alert?.rule ?? 'fall',
      bound: (alert?.bound ?? 50) as number | string,
      dimension: alert?.filter?.dimension ?? NONE,
      value: alert?.filter?.value ?? '',
      window: alert?.window ?? '3h',
      channelIds: alert?.channelIds ?? channels.map(({ id }) => id).slice(0, 1),
    },
    fields: { 'filter.value': 'value', filter: 'dimension' },
    send({ name, metric, rule, bound, dimension, value, window, channelIds }) {
      const isFiltered = dimension !== NONE;
      const body = {
        name,
        metric: metric as Alert['metric'],
        rule: rule as Alert['rule'],
        channelIds,
        bound: rule === 'silence' ? null : Number(bound),
        window: isFiltered ? ('day' as const) : (window as Alert['window']),
        filter: isFiltered ? { dimension: dimension as 'link', value } : null,
      };
      return alert
        ? client.PATCH('/api/manage/apps/{appId}/alerts/{alertId}', {
            params: { path: { appId, alertId: alert.id } },
            body,
          })
        : client.POST('/api/manage/apps/{appId}/alerts', { params: { path: { appId } }, body });
    },
    onSuccess: onClose,
  });
  const { metric, rule, dimension } = form.getValues();
  const filters = FILTERS[metric as (typeof METRICS)[number]];
  const isPercent = rule === 'fall' || rule === 'rise';
  return (
    <CommandForm form={form} submit={t(alert ? 'save' : 'add')}>
      <TextInput required data-autofocus {...form.field('name')} />
      <Select
        data={METRICS.map((value) => ({ value, label: t(`metrics.${value}`) }))}
        {...form.field('metric')}
        onChange={(value) => form.setValues({ metric: value as Alert['metric'], dimension: NONE })}
      />
      {filters.length > 0 && (
        <Select
          data={[NONE, ...filters].map((value) => ({ value, label: t(`dimensions.${value as 'link'}`) }))}
          {...form.field('dimension')}
        />
      )}
      {dimension !== NONE && (
        <TextInput
          required
          {...form.field('value')}
          label={t(dimension === 'link' ? 'linkId' : 'campaign')}
          {...(dimension === 'link' && { description: t('linkIdHelp') })}
        />
      )}
      <Select data={RULES.map((value) => ({ value, label: t(`rules.${value}`) }))} {...form.field('rule')} />
      {rule !== 'silence' && (
        <NumberInput
          required
          min={isPercent ? 1 : 0}
          {...(rule === 'fall' && { max: 99 })}
          {...form.field('bound')}
          label={t(isPercent ? 'percent' : 'limit')}
        />
      )}
      {dimension === NONE && (
        <Select data={WINDOWS.map((value) => ({ value, label: t(`windows.${value}`) }))} {...form.field('window')} />
      )}
      <ChannelField channels={channels} {...form.field('channelIds')} />
    </CommandForm>
  );
}
