import type { paths } from '@landfall/api-client';
import { Button, Fieldset, Group, List, NumberInput, Radio, Select, Stack, Switch, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client, useApp, useMay } from '../../../api/index.ts';
import { changesOf } from '../../../parts/forms/changes.ts';
import { fieldsOf, useFormCommand } from '../../../parts/forms/form.tsx';
import { groups, type Matching, type Preset, presetOf, presets, replayable } from '../../../parts/matching/fields.ts';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { FailureAlert, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { LinkName } from '../../../parts/restores/restore-card.tsx';
import { reasonOf } from '../../../parts/restores/result.ts';
import { SettingsForm } from '../../../parts/settings/save-app.tsx';
import { useSettings } from '../../../parts/settings/use-settings.ts';
import { Ago, Sentence } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/matching')({ component: MatchingPage });

function MatchingPage() {
  const t = useTranslations('matching');
  const { id, version } = useApp();
  return (
    <Page title={t('title')}>
      <Intro />
      {/* Another app, or a version of somebody else, begins a new form. */}
      <MatchingForm key={`${id} ${version}`} />
    </Page>
  );
}

/** Says what the settings are for, whether matching is stricter at the moment, and why. */
function Intro() {
  const t = useTranslations('matching');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/matching', { params: { path: { appId } } });
  return (
    <Loaded query={query} rows={3}>
      {({ rollout, devices }) => (
        <Text size="md" maw={640}>
          {t('intro')}{' '}
          {rollout && <Sentence text={t(`state.${rollout.reason}`, { ...devices, until: rollout.until ?? '' })} />}
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
  const settings = useSettings('matching', { matching: before });
  const { form, isChanged } = settings;
  const field = fieldsOf(form, t);
  const { matching } = form.values;
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
  const spanOf = useSpan();
  const choose = (preset: Preset) => form.setFieldValue('matching', { ...matching, ...presets[preset] });
  return (
    <SettingsForm settings={settings} t={t} mayEnter={mayCompare}>
      <Stack maw={720}>
        {!mayChange && <Text size="md">{t('readOnly')}</Text>}
        <Radio.Group
          label={t('preset')}
          description={t('presetHelp')}
          value={presetOf(matching) ?? 'own'}
          onChange={(value) => choose(value as Preset)}
        >
          <Stack gap="xs" mt="xs">
            {(Object.keys(presets) as Preset[]).map((preset) => (
              <Radio
                key={preset}
                value={preset}
                label={t(`presets.${preset}`)}
                description={t(`presets.${preset}Help`, {
                  window: spanOf(presets[preset].windowMinutes),
                  installed: spanOf(presets[preset].installedWindowMinutes),
                  model: spanOf(presets[preset].modelWindowMinutes),
                })}
              />
            ))}
            {presetOf(matching) === null && <Radio value="own" label={t('presets.own')} />}
          </Stack>
        </Radio.Group>
        <Switch {...field('matching.existingUsers', { type: 'checkbox' })} />
        <Select
          data={(['exact', 'address', 'device'] as const).map((value) => ({ value, label: t(`evidences.${value}`) }))}
          {...field('matching.evidence')}
        />
        {mayCompare && (
          <Group>
            {isChanged ? (
              <Button variant="default" loading={compare.isPending} onClick={() => compare.mutate(form.getValues())}>
                {t('compare')}
              </Button>
            ) : (
              <Text>{t('compareFirst')}</Text>
            )}
          </Group>
        )}
        {compare.error !== null && <FailureAlert error={compare.error} />}
        {compare.data && <WhatIf {...compare.data} />}
        <Numbers form={form} hasFault={Object.keys(form.errors).length > 0} />
      </Stack>
    </SettingsForm>
  );
}

interface NumbersProps {
  form: UseFormReturnType<{ matching: Matching }>;
  /** A fault is never out of sight. */
  hasFault: boolean;
}

/** All numbers, for those who want to know them. */
function Numbers({ form, hasFault }: NumbersProps) {
  const t = useTranslations('matching');
  const field = fieldsOf(form, t);
  const [opened, { toggle }] = useDisclosure(presetOf(form.values.matching) === null);
  const isOpen = opened || hasFault;
  const spanOf = useSpan();
  const helpOf = (name: keyof Matching) => {
    const value = form.values.matching[name];
    const help = t(`matching.${name as 'windowMinutes'}Help`);
    // Below an hour, the number says it as well.
    const isLong = name.endsWith('Minutes') && typeof value === 'number' && value >= 60;
    return isLong ? `${help} ${t('span', { span: spanOf(value) })}` : help;
  };
  return (
    <>
      <Group>
        <Button variant="default" onClick={toggle} aria-expanded={isOpen} aria-controls="numbers">
          {t('detail')}
        </Button>
      </Group>
      <Stack id="numbers" display={isOpen ? 'flex' : 'none'}>
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
                  description={helpOf(name as keyof Matching)}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </Stack>
    </>
  );
}

/** Returns a function that says minutes as people do, such as 2 hours. */
function useSpan(): (minutes: number) => string {
  const format = useFormatter();
  const said = (count: number, unit: 'hour' | 'minute') =>
    count === 0 ? [] : [format.number(count, { style: 'unit', unit, unitDisplay: 'long' })];
  return (minutes) => [...said(Math.floor(minutes / 60), 'hour'), ...said(minutes % 60, 'minute')].join(' ');
}

type Compared =
  paths['/api/manage/apps/{appId}/matching/what-if']['post']['responses'][200]['content']['application/json'];

const KINDS = ['newly', 'noLonger', 'otherLink'] as const;

/** The header of the page, and the bar that saves. */
const BETWEEN_BARS = { scrollMarginBlock: '76px 80px' };
const intoView = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest' });

/** Compares the links of the last days with those that other settings give. */
function WhatIf({ compared, rest }: { compared: Compared; rest: boolean }) {
  const t = useTranslations('matching.whatIf');
  const format = useFormatter();
  const { decisions, given, truth, examples, links, cut } = compared;
  return (
    <Section title={t('title')} style={BETWEEN_BARS} ref={intoView}>
      <Text role="status">{t('given', { ...given, total: decisions.total })}</Text>
      {KINDS.every((kind) => given[kind] === 0) && <Text>{t('same')}</Text>}
      {KINDS.map((kind) => given[kind] > 0 && <Text key={kind}>{t(kind, { count: given[kind] })}</Text>)}
      {rest && <Text>{t('rest')}</Text>}
      {cut !== null && <Text>{t(`cut.${cut}`)}</Text>}
      {decisions.withoutFacts > 0 && <Text>{t('withoutFacts', { count: decisions.withoutFacts })}</Text>}
      {decisions.outOfReach > 0 && <Text>{t('outOfReach', { count: decisions.outOfReach })}</Text>}
      {truth.known > 0 && (
        <>
          <Text fw={600}>{t('difference', differenceOf(truth))}</Text>
          <Text>{t('truth', { count: truth.known })}</Text>
          <DataTable
            t={t}
            aria-label={t('truthLabel')}
            minWidth={320}
            rows={['current', 'changed'] as const}
            rowKey={(settings) => settings}
            columns={{
              settings: (settings) => t(settings),
              right: { ta: 'right', cell: (settings) => format.number(truth[settings].right) },
              wrong: { ta: 'right', cell: (settings) => format.number(truth[settings].wrong) },
              missed: { ta: 'right', cell: (settings) => format.number(truth[settings].missed) },
            }}
          />
        </>
      )}
      {examples.length > 0 && <Examples examples={examples.slice(0, 20)} links={links} />}
    </Section>
  );
}

/** How many more or fewer links are wrong and right. */
function differenceOf({ current, changed }: Compared['truth']) {
  const [wrong, right] = [changed.wrong - current.wrong, changed.right - current.right];
  return { wrong: Math.abs(wrong), wrongWay: wayOf(wrong), right: Math.abs(right), rightWay: wayOf(right) };
}

const wayOf = (difference: number): string => (difference > 0 ? 'more' : difference < 0 ? 'fewer' : 'same');

/** One sentence for each: the tap that it gains, or that it had, and its link. Its row in the list of restores has the rest. */
function Examples({ examples, links }: Pick<Compared, 'examples' | 'links'>) {
  const t = useTranslations('matching.whatIf');
  const { id: appId } = useApp();
  const linksById = new Map(links.map((link) => [link.id, link]));
  return (
    <List size="sm" listStyleType="none" spacing={4} aria-label={t('examples')}>
      {examples.map(({ restoreId, at, before, after }) => {
        const kind = before.matchType === null ? 'gains' : after.matchType === null ? 'loses' : 'changes';
        const { reason, linkIds } = kind === 'loses' ? before : after;
        const linkId = linkIds.at(-1);
        return (
          <List.Item key={restoreId}>
            <PageLink size="sm" to="/apps/$appId/restores" params={{ appId }} search={{ at }}>
              <Ago at={at} />
            </PageLink>
            : {t(kind, { reason: reasonOf(reason) })}
            {linkId !== undefined && <LinkName appId={appId} linkId={linkId} link={linksById.get(linkId)} />}
            {kind === 'gains' && <Text c="dimmed">{t('whyGains', { reason: reasonOf(before.reason) })}</Text>}
            {kind === 'loses' && <Text c="dimmed">{t('whyLoses', { reason: reasonOf(after.reason) })}</Text>}
          </List.Item>
        );
      })}
    </List>
  );
}
