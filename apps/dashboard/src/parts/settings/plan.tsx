import type { App } from '@landfall/api-client';
import { Progress, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { Loaded, Section } from '../page/page.tsx';

/** The plan of the app, and how much of it this month has used. Owners of the instance set it. */
export function Plan({ app }: { app: App }) {
  const t = useTranslations('plan');
  const format = useFormatter();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/usage', { params: { path: { appId: app.id } } });
  return (
    <Section title={t('title', { name: app.plan.name })} maw={640}>
      <Loaded query={query} rows={1}>
        {({ linksCreated, limit, month }) => {
          const used = format.number(linksCreated);
          const text =
            limit === null ? t('unlimited', { used, month }) : t('used', { used, limit: format.number(limit), month });
          return (
            <>
              <Text size="sm">{text}</Text>
              {limit !== null && (
                <Progress value={limit === 0 ? 100 : Math.min(100, (100 * linksCreated) / limit)} aria-label={text} />
              )}
            </>
          );
        }}
      </Loaded>
      <Text size="sm">{t('who')}</Text>
    </Section>
  );
}
