import type { paths } from '@landfall/api-client';
import { MultiSelect, type MultiSelectProps } from '@mantine/core';

type Listed<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Channel = Listed<'/api/manage/apps/{appId}/channels'>['channels'][number];
export type Report = Listed<'/api/manage/apps/{appId}/reports'>['reports'][number];
export type Alert = Listed<'/api/manage/apps/{appId}/alerts'>['alerts'][number];
export type Message = Listed<'/api/manage/apps/{appId}/messages'>['messages'][number];

export const namesOf = (ids: readonly string[], channels: readonly Channel[]): string =>
  channels
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');

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
