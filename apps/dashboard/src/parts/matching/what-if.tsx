import type { paths } from '@landfall/api-client';
import { Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { DataTable } from '../page/data-table.tsx';
import { Section } from '../page/section.tsx';
import { Ago, Sentence } from '../time.tsx';

export type Compared =
  paths['/api/manage/apps/{appId}/matching/what-if']['post']['responses'][200]['content']['application/json'];

const MOST_EXAMPLES = 20;

/** Compares the links of the last days with those that other settings give. */
export function WhatIf({ appId, compared, rest }: { appId: string; compared: Compared; rest: boolean }) {
  const t = useTranslations('matching.whatIf');
  const format = useFormatter();
  const { decisions, given, truth, examples, cut } = compared;
  return (
    <Section title={t('title')}>
      <Text role="status">{t('given', { ...given, total: decisions.total })}</Text>
      <Text>{t('differences', { ...given })}</Text>
      {rest && <Text size="sm">{t('rest')}</Text>}
      {cut !== null && <Text size="sm">{t(`cut.${cut}`)}</Text>}
      {decisions.withoutFacts > 0 && <Text size="sm">{t('withoutFacts', { count: decisions.withoutFacts })}</Text>}
      {decisions.outOfReach > 0 && <Text size="sm">{t('outOfReach', { count: decisions.outOfReach })}</Text>}
      {truth.known > 0 && (
        <>
          <Text size="sm">{t('truth', { count: truth.known })}</Text>
          <DataTable
            aria-label={t('truthLabel')}
            minWidth={320}
            rows={['current', 'changed'] as const}
            rowKey={(settings) => settings}
            columns={[
              { heading: t('settings'), cell: (settings) => t(settings) },
              { heading: t('right'), cell: (settings) => format.number(truth[settings].right) },
              { heading: t('wrong'), cell: (settings) => format.number(truth[settings].wrong) },
              { heading: t('missed'), cell: (settings) => format.number(truth[settings].missed) },
            ]}
          />
        </>
      )}
      {examples.length > 0 && <Examples appId={appId} examples={examples.slice(0, MOST_EXAMPLES)} />}
    </Section>
  );
}

function Examples({ appId, examples }: { appId: string; examples: Compared['examples'] }) {
  const t = useTranslations('matching.whatIf');
  const { timeZone } = useApp(appId);
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('examples')}>
      {examples.map(({ restoreId, at, before, after }) => (
        <li key={restoreId}>
          <Ago at={at} timeZone={timeZone} />
          <Text size="sm">
            <Sentence text={t('before', { reason: before.reason })} timeZone={timeZone} />
          </Text>
          <Text size="sm">
            <Sentence text={t('after', { reason: after.reason })} timeZone={timeZone} />
          </Text>
        </li>
      ))}
    </Stack>
  );
}
