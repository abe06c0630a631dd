import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { api } from '../../api/client.ts';
import { DataTable } from '../page/data-table.tsx';
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
      {({ referrals }) => (
        <DataTable
          verticalSpacing={4}
          minWidth={480}
          rows={referrals}
          rowKey="value"
          empty={t('empty')}
          columns={[
            { heading: label, cell: ({ value }) => <span style={{ overflowWrap: 'anywhere' }}>{value}</span> },
            { heading: t('links'), ta: 'right', cell: ({ links }) => format.number(links) },
            { heading: t('tapped'), ta: 'right', cell: ({ tappedLinks }) => format.number(tappedLinks) },
            { heading: t('clicks'), ta: 'right', cell: ({ clicks }) => format.number(clicks) },
            { heading: t('installs'), ta: 'right', cell: ({ installs }) => format.number(installs) },
          ]}
        />
      )}
    </Loaded>
  );
}
