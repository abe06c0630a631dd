import type { paths } from '@landfall/api-client';
import { Button, Fieldset, NumberInput, Select, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client, useApp, useMay } from '../../../api/index.ts';
import { changesOf } from '../../../parts/forms/changes.ts';
import { fieldsOf, useFormCommand } from '../../../parts/forms/form.tsx';
import { groups, replayable } from '../../../parts/matching/fields.ts';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { FailureAlert, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { SettingsForm } from '../../../parts/settings/save-app.tsx';
import { Ago, Sentence } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/matching')({ component: MatchingPage });

function MatchingPage() {
  const t = useTranslations('matching');
  const { id, version } = useApp();
  return (
    <Page title={t('title')}>
      <Text size="md" maw={640}>
        {t('intro')}
      </Text>
      <State />
      {/* Another app, or a version of somebody else, begins a new form. */}
      <MatchingForm key={`${id} ${version}`} />
    </Page>
  );
}

/** Says whether matching is stricter at the moment, and why. */
function State() {
  const t = useTranslations('matching.state');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/matching', { params: { path: { appId } } });
  return (
    <Loaded query={query} rows={1}>
      {({ rollout, devices }) => (
        <Text size="md" maw={640}>
          <Sentence text={rollout === null ? t('normal') : t(rollout.reason, { until: rollout.until ?? '' })} />{' '}
          {t('devices', devices)}
        </Text>
      )}
    </Loaded>
  );
}

function MatchingForm() {
  const t = useTranslations('matching');
  const { id: appId, matching: before } = useApp();
  const mayChange = useMay('admin');
  const mayCompare = useMay('member');
  const form = useForm({ initialValues: { matching: before } });
  const field = fieldsOf(form, t);
  const compare = useFormCommand(form, {
    mutationFn: async ({ matching }): Promise<{ compared: Compared; rest: boolean }> => {
      const { tried, rest } = replayable(changesOf(before, matching));
      const { data } = await client.POST('/api/manage/apps/{appId}/matching/what-if', {
        params: { path: { appId } },
        body: { matching: tried },
      });
      return { compared: data!, rest };
    },
    meta: { refetch: false },
  });
  const compareButton = mayCompare && (
    <Button
      variant="default"
      loading={compare.isPending}
      disabled={!form.isDirty()}
      onClick={() => compare.mutate(form.getValues())}
    >
      {t('compare')}
    </Button>
  );
  const compared = (
    <>
      {compare.error !== null && <FailureAlert error={compare.error} />}
      {compare.data && <WhatIf {...compare.data} />}
    </>
  );
  return (
    <SettingsForm form={form} t={t} mayEnter={mayCompare} actions={compareButton} below={compared}>
      {!mayChange && <Text size="md">{t('readOnly')}</Text>}
      <Switch {...field('matching.existingUsers', { type: 'checkbox' })} />
      <Select
        data={(['exact', 'address', 'device'] as const).map((value) => ({ value, label: t(`evidences.${value}`) }))}
        {...field('matching.evidence')}
      />
      {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
        <Fieldset key={group} legend={t(`groups.${group}`)}>
          <Stack gap="sm">
            {Object.entries(groups[group] as Record<string, readonly [number, number]>).map(([name, [min, max]]) => (
              <NumberInput
                key={name}
                min={min}
                max={max}
                allowDecimal={false}
                clampBehavior="none"
                required
                {...field(`matching.${name}` as 'matching.windowMinutes')}
              />
            ))}
          </Stack>
        </Fieldset>
      ))}
    </SettingsForm>
  );
}

type Compared =
  paths['/api/manage/apps/{appId}/matching/what-if']['post']['responses'][200]['content']['application/json'];

/** Compares the links of the last days with those that other settings give. */
function WhatIf({ compared, rest }: { compared: Compared; rest: boolean }) {
  const t = useTranslations('matching.whatIf');
  const format = useFormatter();
  const { decisions, given, truth, examples, cut } = compared;
  return (
    <Section title={t('title')}>
      <Text role="status">{t('given', { ...given, total: decisions.total })}</Text>
      <Text size="md">{t('differences', { ...given })}</Text>
      {rest && <Text>{t('rest')}</Text>}
      {cut !== null && <Text>{t(`cut.${cut}`)}</Text>}
      {decisions.withoutFacts > 0 && <Text>{t('withoutFacts', { count: decisions.withoutFacts })}</Text>}
      {decisions.outOfReach > 0 && <Text>{t('outOfReach', { count: decisions.outOfReach })}</Text>}
      {truth.known > 0 && (
        <>
          <Text>{t('truth', { count: truth.known })}</Text>
          <DataTable
            t={t}
            aria-label={t('truthLabel')}
            minWidth={320}
            rows={['current', 'changed'] as const}
            rowKey={(settings) => settings}
            columns={{
              settings: (settings) => t(settings),
              right: (settings) => format.number(truth[settings].right),
              wrong: (settings) => format.number(truth[settings].wrong),
              missed: (settings) => format.number(truth[settings].missed),
            }}
          />
        </>
      )}
      {examples.length > 0 && <Examples examples={examples.slice(0, 20)} />}
    </Section>
  );
}

function Examples({ examples }: { examples: Compared['examples'] }) {
  const t = useTranslations('matching.whatIf');
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('examples')}>
      {examples.map(({ restoreId, at, before, after }) => (
        <li key={restoreId}>
          <Ago at={at} />
          <Text>
            <Sentence text={t('before', { reason: before.reason })} />
          </Text>
          <Text>
            <Sentence text={t('after', { reason: after.reason })} />
          </Text>
        </li>
      ))}
    </Stack>
  );
}
