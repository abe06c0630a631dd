import { Select, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { api } from '../../api/client.ts';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import type { Range } from './view.ts';

/** What each value of a label led to, such as each inviter or campaign. */
export function Referrals({ appId, range }: { appId: string; range: Range }) {
  const t = useTranslations('referrals');
  const { labels } = useApp(appId);
  const [chosen, choose] = useState<string | null>(null);
  const label = chosen !== null && labels.includes(chosen) ? chosen : (labels[0] ?? null);
  return (
    <Section
      title={t('title')}
      actions={
        label !== null && (
          <Select aria-label={t('label')} allowDeselect={false} data={labels} value={label} onChange={choose} />
        )
      }
    >
      {label === null ? <Text>{t('noLabel')}</Text> : <Values appId={appId} range={range} label={label} />}
    </Section>
  );
}

function Values({ appId, range, label }: { appId: string; range: Range; label: string }) {
  const t = useTranslations('referrals');
  const format = useFormatter();
  const query = useQuery(
    api.queryOptions('get', '/api/manage/apps/{appId}/analytics/referrals', {
      params: { path: { appId }, query: { from: range.from, to: range.to, label, limit: 20 } },
    }),
  );
  return (
    <Loaded query={query}>
      {({ referrals }) =>
        referrals.length === 0 ? (
          <Text>{t('empty')}</Text>
        ) : (
          <Table.ScrollContainer minWidth={480}>
            <Table verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{label}</Table.Th>
                  <Table.Th ta="right">{t('links')}</Table.Th>
                  <Table.Th ta="right">{t('tapped')}</Table.Th>
                  <Table.Th ta="right">{t('clicks')}</Table.Th>
                  <Table.Th ta="right">{t('installs')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {referrals.map(({ value, links, tappedLinks, clicks, installs }) => (
                  <Table.Tr key={value}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                    {[links, tappedLinks, clicks, installs].map((count, column) => (
                      <Table.Td key={column} ta="right">
                        {format.number(count)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  );
}
