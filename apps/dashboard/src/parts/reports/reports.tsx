import { Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, askEvery, client, useApp } from '../../api/index.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { rowButton, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { RowMenu } from '../page/row-menu.tsx';
import { useCommand } from '../page/use-command.ts';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago } from '../time.tsx';
import { ReportPreview } from './report-preview.tsx';
import { type Channel, ChannelField, LOOK_MS, messagesQuery, Receivers, type Report } from './shared.tsx';

const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
type Weekday = (typeof WEEKDAYS)[number];

export function Reports({ channels }: { channels: readonly Channel[] }) {
  const t = useTranslations('reportList');
  const { id: appId } = useApp();
  const path = { params: { path: { appId } } };
  const query = api.useQuery('get', '/api/manage/apps/{appId}/reports', path, { refetchInterval: askEvery(LOOK_MS) });
  const messages = useQuery(messagesQuery(appId)).data?.messages ?? [];
  const nextAttemptOf = (reportId: string): string | null =>
    messages.find(({ sourceId, why, nextAt }) => sourceId === reportId && why !== null && nextAt !== null)?.nextAt ??
    null;
  const whenOf = useWhen();
  return (
    <Section
      title={t('title')}
      actions={
        <WindowButton title={t('add')} {...(channels.length === 0 && { variant: 'default' })}>
          {(close) => <ReportForm channels={channels} onClose={close} />}
        </WindowButton>
      }
    >
      <Loaded query={query} rows={3}>
        {({ reports }) => (
          <DataTable
            t={t}
            minWidth={760}
            rows={reports}
            empty={t('empty')}
            columns={{
              name: ({ name }) => name,
              when: (report) => (
                <>
                  <Text>{whenOf(report)}</Text>
                  <Text component="div" c="dimmed">
                    {report.paused ? t('paused') : <Next at={report.nextAt} />}
                  </Text>
                </>
              ),
              to: ({ channelIds }) => <Receivers ids={channelIds} channels={channels} />,
              last: ({ id, last }) => <Last of={last} nextAt={nextAttemptOf(id)} />,
              actions: (report) => <Actions of={report} channels={channels} />,
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** The outcome of the latest messages. `nextAt`: one did not arrive, and is tried again at this time. */
function Last({ of: last, nextAt }: { of: Report['last']; nextAt: string | null }) {
  const t = useTranslations('reportList');
  const retried = nextAt !== null;
  return (
    <>
      <State words={states.sent} of={last && { ...last, retried }} t={(word) => t(`states.${word}`)} />{' '}
      {retried ? (
        <Text component="div">
          {t('triedAgain')} <Ago at={nextAt} />
        </Text>
      ) : (
        last && <Ago at={last.at} />
      )}
    </>
  );
}

function Next({ at }: { at: string }) {
  const t = useTranslations('reportList');
  return (
    <>
      {t('next')} <Ago at={at} />
    </>
  );
}

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Returns a function that says when a report is sent. */
function useWhen() {
  const t = useTranslations('reportList');
  const { timeZone } = useApp();
  return ({ every, day, hour }: Pick<Report, 'every' | 'day' | 'hour'>): string => {
    const weekday = every === 'week' ? t(`weekdays.${`${day}` as Weekday}`) : '';
    return t(`whens.${every}`, { day, weekday, hour: hourText(hour), timeZone });
  };
}

function Actions({ of: report, channels }: { of: Report; channels: readonly Channel[] }) {
  const t = useTranslations('reportList');
  const { id: appId } = useApp();
  const { id: reportId, name, paused } = report;
  const path = { params: { path: { appId, reportId } } };
  const pause = useCommand(() =>
    client.PATCH('/api/manage/apps/{appId}/reports/{reportId}', { ...path, body: { paused: !paused } }),
  );
  const remove = () => client.DELETE('/api/manage/apps/{appId}/reports/{reportId}', path);
  return (
    <Group gap="xs">
      <WindowButton {...rowButton} title={t('preview')} heading={name} aria-label={t('previewNamed', { name })}>
        {(close) => <ReportPreview report={report} channels={channels} onClose={close} />}
      </WindowButton>
      <RowMenu
        label={t('actionsOf', { name })}
        actions={[
          {
            text: t('edit'),
            content: (close) => <ReportForm report={report} channels={channels} onClose={close} />,
          },
          { text: t(paused ? 'resume' : 'pause'), onClick: () => pause.mutate() },
          { text: t('remove'), question: t('removeText', { name }), onConfirm: remove },
        ]}
      />
    </Group>
  );
}

interface ReportFormProps {
  /** Without it the form makes a report. */
  report?: Report;
  channels: readonly Channel[];
  onClose: () => void;
}

function ReportForm({ report, channels, onClose }: ReportFormProps) {
  const t = useTranslations('reportList');
  const { id: appId, timeZone } = useApp();
  const known = api.useQuery('get', '/api/manage/apps/{appId}/channels', { params: { path: { appId } } });
  const form = useCommandForm(t, {
    initialValues: {
      name: report?.name ?? t('defaultName'),
      every: report?.every ?? 'week',
      day: `${report?.day ?? 1}`,
      hour: `${report?.hour ?? 9}`,
      channelIds: report?.channelIds ?? channels.map(({ id }) => id).slice(0, 1),
      address: '',
    },
    // A report for nobody would never be seen.
    validate: {
      channelIds: (ids, { address }) => {
        if (ids.length > 0 || address.trim() !== '') return null;
        return t(known.data?.mail ? 'noChannel' : 'noChannelYet');
      },
    },
    fields: { target: 'address' },
    async send({ name, every, day, hour, channelIds: chosen, address }, form) {
      const channelIds = address.trim() === '' ? chosen : [...chosen, await addAddress(appId, address.trim())];
      // When the report is refused, a second attempt does not add the address again.
      form.setValues({ channelIds, address: '' });
      const body = { name, every: every as Report['every'], day: Number(day), hour: Number(hour), channelIds };
      return report
        ? client.PATCH('/api/manage/apps/{appId}/reports/{reportId}', {
            params: { path: { appId, reportId: report.id } },
            body,
          })
        : client.POST('/api/manage/apps/{appId}/reports', { params: { path: { appId } }, body });
    },
    onSuccess: onClose,
  });
  const { every } = form.getValues();
  const days =
    every === 'week'
      ? WEEKDAYS.map((value) => ({ value, label: t(`weekdays.${value}`) }))
      : Array.from({ length: 31 }, (_, i) => ({ value: `${i + 1}`, label: `${i + 1}` }));
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: `${hour}`, label: hourText(hour) }));
  return (
    <CommandForm form={form} submit={t(report ? 'save' : 'add')}>
      <TextInput required data-autofocus {...form.field('name')} />
      <Select
        data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`periods.${value}`) }))}
        {...form.field('every')}
        onChange={(value) => form.setValues({ every: value as Report['every'], day: '1' })}
      />
      {every !== 'day' && (
        <Select
          data={days}
          {...form.field('day')}
          label={t(every === 'week' ? 'weekday' : 'day')}
          {...(every === 'month' && { description: t('monthHelp') })}
        />
      )}
      <Select data={hours} {...form.field('hour')} description={timeZone} />
      <ChannelField channels={known.data?.channels ?? channels} {...form.field('channelIds')} />
      {known.data?.mail && <TextInput type="email" {...form.field('address')} />}
    </CommandForm>
  );
}

/** Adds an email address as a channel, and returns the id of the channel. */
async function addAddress(appId: string, address: string): Promise<string> {
  const { data } = await client.POST('/api/manage/apps/{appId}/channels', {
    params: { path: { appId } },
    body: { kind: 'email', name: address, target: address },
  });
  return data!.channel.id;
}
