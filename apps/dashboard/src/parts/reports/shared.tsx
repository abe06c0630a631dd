import type { paths } from '@landfall/api-client';
import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, askEvery } from '../../api/index.ts';
import { Toned } from '../states/state.tsx';
import { stateOf, states } from '../states/states.ts';

type Listed<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Channel = Listed<'/api/manage/apps/{appId}/channels'>['channels'][number];
export type Report = Listed<'/api/manage/apps/{appId}/reports'>['reports'][number];
export type Alert = Listed<'/api/manage/apps/{appId}/alerts'>['alerts'][number];
export type Message = Listed<'/api/manage/apps/{appId}/messages'>['messages'][number];

/** Milliseconds between two looks at what became of the messages, while somebody sees the page. */
export const LOOK_MS = 10_000;

/** The last messages of reports and alerts. */
export const messagesQuery = (appId: string) =>
  api.queryOptions(
    'get',
    '/api/manage/apps/{appId}/messages',
    { params: { path: { appId } } },
    { refetchInterval: askEvery(LOOK_MS) },
  );

/** Where a report or an alert goes. It says so when nothing arrives at any of these channels. */
export function Receivers({ ids, channels }: { ids: readonly string[]; channels: readonly Channel[] }) {
  const t = useTranslations('channels');
  const chosen = channels.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) return <Toned tone="warning">{t('nowhere')}</Toned>;
  return (
    <>
      {chosen.map(({ name }) => name).join(', ')}
      {chosen.every((one) => stateOf(states.channel, one).word !== 'ready') && <Text>{t('noneArrives')}</Text>}
    </>
  );
}

interface ChannelFieldProps extends Omit<MultiSelectProps, 'data'> {
  channels: readonly Channel[];
}

/** Two channels may have one name, so each has its hint, too. */
export const ChannelField = ({ channels, ...field }: ChannelFieldProps) => (
  <MultiSelect
    data={channels.map(({ id, name, hint }) => ({ value: id, label: hint === '' ? name : `${name} (${hint})` }))}
    comboboxProps={{ withinPortal: true }}
    {...field}
  />
);
