import { NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { client, useApp } from '../../api/index.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { type Alert, type Channel, ChannelField } from './shared.tsx';

const METRICS = ['clicks', 'attributedInstalls', 'installs', 'restores'] as const;
type Metric = (typeof METRICS)[number];
const RULES = ['fall', 'rise', 'silence', 'above', 'below'] as const;
const WINDOWS = ['1h', '3h', '6h', '12h', '24h', 'day'] as const;
/** The dimensions of a metric. */
const FILTERS = { clicks: ['utmCampaign', 'link'], attributedInstalls: [], installs: [], restores: ['link'] } as const;
const NONE = 'none';

/** Returns a function that says when an alert tells its channels. */
export function useSentence() {
  const t = useTranslations('alerts');
  return ({ metric, rule, bound, window }: Pick<Alert, 'metric' | 'rule' | 'bound' | 'window'>): string =>
    t(`sentences.${rule}`, { metric: t(`metrics.${metric}`), bound: bound ?? 0, window: t(`windows.${window}`) });
}

interface AlertFormProps {
  /** Without it the form makes an alert. */
  alert?: Alert;
  channels: readonly Channel[];
  onClose: () => void;
}

export function AlertForm({ alert, channels, onClose }: AlertFormProps) {
  const t = useTranslations('alerts');
  const { id: appId } = useApp();
  const proposed = (metric: string, rule: string) =>
    t('proposed', { metric: t(`metrics.${metric as Metric}`), rule: t(`rules.${rule as Alert['rule']}`) });
  const form = useCommandForm(t, {
    initialValues: {
      name: alert?.name ?? proposed('clicks', 'fall'),
      metric: alert?.metric ?? 'clicks',
      rule: alert?.rule ?? 'fall',
      bound: (alert?.bound ?? 50) as number | string,
      dimension: alert?.filter?.dimension ?? NONE,
      value: alert?.filter?.value ?? '',
      window: alert?.window ?? '3h',
      channelIds: alert?.channelIds ?? channels.map(({ id }) => id).slice(0, 1),
    },
    // An alert for nobody would never be seen.
    validate: { channelIds: (ids) => (ids.length > 0 ? null : t(channels.length > 0 ? 'noChannel' : 'noChannelYet')) },
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
  const { name, metric, rule, dimension } = form.getValues();
  /** The name follows the choices until the person writes one. */
  const choose = (chosen: { metric?: Alert['metric']; rule?: Alert['rule']; dimension?: string }) => {
    const next = { metric, rule, ...chosen };
    form.setValues({ ...chosen, ...(name === proposed(metric, rule) && { name: proposed(next.metric, next.rule) }) });
  };
  const filters = FILTERS[metric as Metric];
  const isPercent = rule === 'fall' || rule === 'rise';
  return (
    <CommandForm form={form} submit={t(alert ? 'save' : 'add')}>
      <TextInput required data-autofocus {...form.field('name')} />
      <Select
        data={METRICS.map((value) => ({ value, label: t(`metrics.${value}`) }))}
        {...form.field('metric')}
        onChange={(value) => choose({ metric: value as Alert['metric'], dimension: NONE })}
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
      <Select
        data={RULES.map((value) => ({ value, label: t(`rules.${value}`) }))}
        {...form.field('rule')}
        onChange={(value) => choose({ rule: value as Alert['rule'] })}
      />
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
      <Preview of={form.getValues()} />
    </CommandForm>
  );
}

interface PreviewProps {
  of: Pick<Alert, 'metric' | 'rule' | 'window'> & { bound: number | string; dimension: string; value: string };
}

/** The sentence that the row of the alert shows. */
function Preview({ of: { metric, rule, bound, window, dimension, value } }: PreviewProps) {
  const t = useTranslations('alerts');
  const sentenceOf = useSentence();
  const isFiltered = dimension !== NONE;
  const sentence = sentenceOf({ metric, rule, bound: Number(bound), window: isFiltered ? 'day' : window });
  return (
    <Text role="status" style={{ overflowWrap: 'anywhere' }}>
      {t('preview', { sentence })} {isFiltered && value !== '' && `${t('only', { only: value })}.`}
    </Text>
  );
}
