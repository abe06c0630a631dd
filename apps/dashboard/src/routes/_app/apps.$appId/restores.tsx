import { Badge, Group, List, Paper, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/index.ts';
import { Reasons } from '../../../parts/live/live-list.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/restores')({ component: Restores });

function Restores() {
  const t = useTranslations('restores');
  const { appId } = Route.useParams();
  const params = { path: { appId }, query: { limit: 30 } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps/{appId}/restores', { params }, cursorPages);
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query}>
        {({ restores }) => {
          if (restores.length === 0) return <Text size="md">{t('empty')}</Text>;
          return (
            <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {restores.map(({ id, at, matchType, summary, considered }) => (
                <Paper component="li" withBorder p="sm" key={id}>
                  <Group justify="space-between" gap="xs">
                    <Group gap="xs">
                      <Badge color={matchType === null ? 'gray.8' : 'teal.9'}>
                        {matchType === null ? t('nothing') : t(`matchTypes.${matchType}`)}
                      </Badge>
                      <Text fw={600}>{reasonOf(summary)}</Text>
                    </Group>
                    <Ago at={at} />
                  </Group>
                  {considered.some(({ taken, reason }) => taken || reason !== reasonOf(summary)) && (
                    <Reasons considered={considered} />
                  )}
                  {namesSetting(summary) && (
                    <PageLink size="sm" to="/apps/$appId/matching" params={{ appId }}>
                      {t('setting')}
                    </PageLink>
                  )}
                  {considered
                    .filter(({ taken }) => taken)
                    .map(({ linkId }) => (
                      <PageLink key={linkId} size="sm" to="/apps/$appId/links/$linkId" params={{ appId, linkId }}>
                        {t('link')}
                      </PageLink>
                    ))}
                </Paper>
              ))}
            </Stack>
          );
        }}
      </Loaded>
      <Missing appId={appId} />
    </Page>
  );
}

/** Returns the summary without the word that the badge says. */
const reasonOf = (summary: string): string => summary.replace(/^nothing: /, '');

/** True for a reason such as "… set matching.existingUsers to false". */
const namesSetting = (summary: string): boolean => summary.includes('matching.');

/** Why a start has no row at all. Its cause lies outside of what Landfall sees, so it names the likely ones and where to look. */
function Missing({ appId }: { appId: string }) {
  const t = useTranslations('restores.missing');
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <List size="sm" spacing={4}>
        {(['network', 'age', 'tap', 'request', 'proxy'] as const).map((cause) => (
          <List.Item key={cause}>{t(`causes.${cause}`)}</List.Item>
        ))}
      </List>
      <Group gap="md">
        <PageLink size="sm" to="/apps/$appId/live" params={{ appId }}>
          {t('live')}
        </PageLink>
        <PageLink size="sm" to="/apps/$appId/links" params={{ appId }}>
          {t('links')}
        </PageLink>
        <PageLink size="sm" to="/docs/$" params={{ _splat: 'explanation/matching' }}>
          {t('docs')}
        </PageLink>
      </Group>
    </Section>
  );
}
