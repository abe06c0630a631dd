import type { paths } from '@landfall/api-client';
import { Stack, Table, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
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
          <Table.ScrollContainer minWidth={320}>
            <Table verticalSpacing="xs" aria-label={t('truthLabel')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('settings')}</Table.Th>
                  <Table.Th>{t('right')}</Table.Th>
                  <Table.Th>{t('wrong')}</Table.Th>
                  <Table.Th>{t('missed')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {(['current', 'changed'] as const).map((which) => (
                  <Table.Tr key={which}>
                    <Table.Td>{t(which)}</Table.Td>
                    <Table.Td>{format.number(truth[which].right)}</Table.Td>
                    <Table.Td>{format.number(truth[which].wrong)}</Table.Td>
                    <Table.Td>{format.number(truth[which].missed)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
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
