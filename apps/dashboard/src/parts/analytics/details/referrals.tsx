import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { DataTable } from '../../page/data-table.tsx';
import { Loaded, Section } from '../../page/page.tsx';
import type { Asked } from '../view.ts';

/** The results of each value of a label, such as an inviter or a campaign. */
export function Referrals({ asked }: { asked: Asked }) {
  const t = useTranslations('referrals');
  const { labels } = useApp();
  const [chosen, choose] = useState<string | null>(null);
  const label = chosen !== null && labels.includes(chosen) ? chosen : (labels[0] ?? null);
  return (
    <Section
      title={t('title')}
      actions={label !== null && <Select aria-label={t('label')} data={labels} value={label} onChange={choose} />}
    >
      {label === null ? <Text size="md">{t('noLabel')}</Text> : <Values asked={asked} label={label} />}
    </Section>
  );
}

function Values({ asked: { from, to }, label }: { asked: Asked; label: string }) {
  const t = useTranslations('referrals');
  const format = useFormatter();
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/referrals', {
    params: { path: { appId }, query: { from, ...(to !== undefined && { to }), label, limit: 20 } },
  });
  return (
    <Loaded query={query}>
      {({ referrals, from }) => (
        <>
          <DataTable
            t={t}
            verticalSpacing={4}
            minWidth={480}
            rows={referrals}
            rowKey="value"
            empty={t('empty')}
            columns={{
              label: {
                heading: label,
                cell: ({ value }) => <span style={{ overflowWrap: 'anywhere' }}>{value}</span>,
              },
              links: { ta: 'right', cell: ({ links }) => format.number(links) },
              tapped: { ta: 'right', cell: ({ tappedLinks }) => format.number(tappedLinks) },
              clicks: { ta: 'right', cell: ({ clicks }) => format.number(clicks) },
              installs: { ta: 'right', cell: ({ installs }) => format.number(installs) },
            }}
          />
          <Text size="xs">{t('since', { day: format.dateTime(new Date(from), { dateStyle: 'medium' }) })}</Text>
        </>
      )}
    </Loaded>
  );
}
