// The window that shares what the page of analytics shows. The address is there after one press.
import {
  Alert,
  Button,
  Checkbox,
  Collapse,
  Group,
  PasswordInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp } from '../../api/index.ts';
import { useFilterNames } from '../analytics/choices/use-filter-names.ts';
import { knowsFilters } from '../analytics/queries.ts';
import { DIMENSIONS, filterOf, has, isLabel, metricsOf, STEPS, type View } from '../analytics/view.ts';
import { CopyLine, MAY_COPY } from '../copy.tsx';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { PageLink } from '../page/links.tsx';

const ENDS = ['7', '30', '90', '365', 'never'] as const;
const DAY_MS = 86_400_000;
/** As many, and as long, as the API takes. */
const MOST_CARDS = 20;
const NAME_LENGTH = 100;
const SHORTEST_PASSWORD = 10;

export function ShareWindow({ view, onClose }: { view: View; onClose: () => void }) {
  const t = useTranslations('shares');
  const words = useTranslations('analytics');
  const { id: appId, name, labels } = useApp();
  const { metric = 'clicks', filter = [] } = view;
  const filterNames = filter.map(useFilterNames(filter));
  const [more, { toggle }] = useDisclosure();
  const [copied, setCopied] = useState(false);
  const form = useCommandForm(t, {
    initialValues: {
      name: [t('defaultName', { app: name, metric: words(`metrics.${metric}`) }), ...filterNames]
        .join(', ')
        .slice(0, NAME_LENGTH),
      password: '',
      ends: '90',
      narrow: true,
      linkNames: true,
      csv: false,
      labels: false,
      origins: '',
    },
    validate: {
      password: (password) => (password !== '' && [...password].length < SHORTEST_PASSWORD ? t('passwordShort') : null),
    },
    async send(values) {
      const body = {
        name: values.name,
        view: shown(view, values.labels ? labels : []),
        password: values.password === '' ? null : values.password,
        expiresAt: values.ends === 'never' ? null : new Date(Date.now() + Number(values.ends) * DAY_MS).toISOString(),
        options: {
          narrow: values.narrow,
          csv: values.csv,
          linkNames: values.linkNames,
          origins: values.origins.split(/\s+/).filter((line) => line !== ''),
        },
      };
      const asked = client.POST('/api/manage/apps/{appId}/shares', { params: { path: { appId } }, body });
      setCopied(await copyLater(asked.then(({ data }) => data!.url)));
      const { data } = await asked;
      return { ...data!, framed: body.options.origins.length > 0, hasPassword: body.password !== null };
    },
    fields: { 'options.origins': 'origins', PASSWORD_TOO_SHORT: 'password', PASSWORD_COMMON: 'password' },
  });
  const made = form.command.data;
  if (made) return <Made made={made} copied={copied} onClose={onClose} />;
  const isOpen = more || Object.keys(form.errors).some((field) => field !== 'name');
  const names = filter.map(filterOf).some((one) => one && isLabel(one.dimension));
  return (
    <CommandForm form={form} submit={t(MAY_COPY ? 'make' : 'makeOnly')}>
      <Text>{t('shareText')}</Text>
      {names && <Alert color="yellow">{t('labelFilter')}</Alert>}
      <TextInput required maxLength={NAME_LENGTH} {...form.field('name')} />
      <Button variant="subtle" onClick={toggle} aria-expanded={isOpen}>
        {t('more')}
      </Button>
      {/* A fault is never out of sight. */}
      <Collapse expanded={isOpen}>
        <Stack gap="sm">
          <PasswordInput autoComplete="new-password" {...form.field('password')} />
          <Select data={ENDS.map((value) => ({ value, label: t(`end.${value}`) }))} {...form.field('ends')} />
          <Checkbox {...form.field('narrow', { type: 'checkbox' })} />
          <Checkbox {...form.field('linkNames', { type: 'checkbox' })} />
          <Checkbox {...form.field('csv', { type: 'checkbox' })} />
          {labels.length > 0 && <Checkbox {...form.field('labels', { type: 'checkbox' })} />}
          <Textarea autosize minRows={2} {...form.field('origins')} />
        </Stack>
      </Collapse>
    </CommandForm>
  );
}

interface MadeProps {
  /** `framed`: some sites may show it. */
  made: { url: string; embedUrl: string; framed: boolean; hasPassword: boolean };
  copied: boolean;
  onClose: () => void;
}

function Made({ made: { url, embedUrl, framed, hasPassword }, copied, onClose }: MadeProps) {
  const t = useTranslations('shares');
  const { id: appId } = useApp();
  return (
    <Stack>
      <Alert role="status" title={t(copied ? 'copied' : 'made')}>
        {t(hasPassword ? 'madeWithPassword' : 'madeText')}
      </Alert>
      <CopyLine value={url} label={t('copyAddress')} />
      {framed && (
        <>
          <Text fw={600}>{t('frame')}</Text>
          <CopyLine value={frameOf(embedUrl)} label={t('copyFrame')} />
        </>
      )}
      <Group justify="space-between">
        <PageLink to="/apps/$appId/shares" params={{ appId }}>
          {t('list')}
        </PageLink>
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </Stack>
  );
}

const frameOf = (url: string): string =>
  `<iframe src="${url}" title="Landfall" width="100%" height="900" style="border:0" referrerpolicy="no-referrer"></iframe>`;

/** What the page shows, as the API stores it. */
function shown(view: View, labels: readonly string[]) {
  const { range = '30', from = null, to = null, compare, metric = 'clicks', filter = [], spelling } = view;
  const cardMetrics = [...metricsOf(metric)];
  const asked = { from: '', filter };
  const dimensions = [...DIMENSIONS, ...labels.map((label) => `label:${label}` as const)];
  return {
    range,
    from,
    to,
    compare: compare === 'none' ? null : (compare ?? ('previous' as const)),
    filter,
    spelling: spelling ?? ('folded' as const),
    metric,
    figures: [...STEPS],
    cardMetrics,
    cards: knowsFilters(cardMetrics[0]!, asked)
      ? dimensions.filter((one) => has(cardMetrics[0]!, one)).slice(0, MOST_CARDS)
      : [],
    funnel: knowsFilters('clicks', asked),
  };
}

/** A press lets a page copy, and the address comes later: browsers take the promise of it. Returns if it was copied. */
async function copyLater(text: Promise<string>): Promise<boolean> {
  if (!MAY_COPY) return false;
  try {
    const item = new ClipboardItem({ 'text/plain': text.then((value) => new Blob([value], { type: 'text/plain' })) });
    await navigator.clipboard.write([item]);
    return true;
  } catch {
    return false;
  }
}
