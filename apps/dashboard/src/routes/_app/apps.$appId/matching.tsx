import type { App } from '@landfall/api-client';
import { Button, Fieldset, Group, NumberInput, Select, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { api, client } from '../../../api/client.ts';
import { changesOf } from '../../../parts/forms/changes.ts';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { groups, type Matching, replayable } from '../../../parts/matching/fields.ts';
import { type Compared, WhatIf } from '../../../parts/matching/what-if.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { useMay } from '../../../parts/roles.ts';
import { SaveFailure } from '../../../parts/settings/save-failure.tsx';
import { useSaveApp } from '../../../parts/settings/use-save-app.ts';
import { Sentence } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/matching')({ component: MatchingPage });

function MatchingPage() {
  const t = useTranslations('matching');
  const { appId } = Route.useParams();
  const app = useApp(appId);
  return (
    <Page title={t('title')}>
      <Text maw={640}>{t('intro')}</Text>
      <State app={app} />
      {/* Another app, or a version of somebody else, begins a new form. */}
      <MatchingForm key={`${app.id} ${app.version}`} app={app} />
    </Page>
  );
}

/** Says whether matching is stricter at the moment, and why. */
function State({ app }: { app: App }) {
  const t = useTranslations('matching.state');
  const query = api.useQuery('get', '/api/manage/apps/{appId}/matching', { params: { path: { appId: app.id } } });
  return (
    <Loaded query={query} rows={1}>
      {({ rollout, devices }) => (
        <Text maw={640}>
          <Sentence
            text={rollout === null ? t('normal') : t(rollout.reason, { until: rollout.until ?? '' })}
            timeZone={app.timeZone}
          />{' '}
          {t('devices', devices)}
        </Text>
      )}
    </Loaded>
  );
}

/** The API names fields by their place. */
const namesOf = (matching: Matching) =>
  Object.fromEntries(Object.keys(matching).map((name) => [`matching.${name}`, name as keyof Matching]));

function MatchingForm({ app }: { app: App }) {
  const t = useTranslations('matching');
  const mayChange = useMay(app.id, 'admin');
  const mayCompare = useMay(app.id, 'member');
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm<Matching>({ mode: 'controlled', initialValues: app.matching });
  const onError = (error: Error) => {
    setFailure(null);
    if (!showFaults(form, error, namesOf(app.matching))) setFailure(error);
  };
  const save = useSaveApp<Matching>(app, {
    before: app.matching,
    changeOf: (matching) => ({ matching }),
    said: t('saved'),
    onError,
  });
  const compare = useMutation({
    mutationFn: async (values: Matching): Promise<{ compared: Compared; rest: boolean }> => {
      const { tried, rest } = replayable(changesOf(app.matching, values));
      const { data } = await client.POST('/api/manage/apps/{appId}/matching/what-if', {
        params: { path: { appId: app.id } },
        body: { matching: tried },
      });
      return { compared: data!, rest };
    },
    onMutate: () => setFailure(null),
    onError,
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" disabled={!mayCompare} aria-label={t('title')}>
        <Stack maw={640}>
          {!mayChange && <Text>{t('readOnly')}</Text>}
          <Switch
            label={t('existingUsers')}
            description={t('existingUsersHelp')}
            {...form.getInputProps('existingUsers', { type: 'checkbox' })}
          />
          <Select
            label={t('evidence')}
            description={t('evidenceHelp')}
            data={(['exact', 'address', 'device'] as const).map((value) => ({ value, label: t(`evidences.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('evidence')}
          />
          {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
            <Fieldset key={group} legend={t(`groups.${group}`)}>
              <Stack gap="sm">
                {Object.entries(groups[group] as Record<string, readonly [number, number]>).map(
                  ([name, [min, max]]) => (
                    <NumberInput
                      key={name}
                      label={t(`fields.${name}` as never)}
                      description={t(`help.${name}` as never)}
                      min={min}
                      max={max}
                      allowDecimal={false}
                      clampBehavior="none"
                      required
                      {...form.getInputProps(name)}
                    />
                  ),
                )}
              </Stack>
            </Fieldset>
          ))}
          {failure !== null && <SaveFailure app={app} error={failure} />}
          <Group>
            {mayChange && (
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {t('save')}
              </Button>
            )}
            {mayCompare && (
              <Button
                variant="default"
                loading={compare.isPending}
                disabled={!form.isDirty()}
                onClick={() => compare.mutate(form.getValues())}
              >
                {t('compare')}
              </Button>
            )}
          </Group>
          {compare.data && <WhatIf appId={app.id} compared={compare.data.compared} rest={compare.data.rest} />}
        </Stack>
      </Fieldset>
    </form>
  );
}
