import { SimpleGrid, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { groups } from '../../../parts/docs/groups.ts';
import { PageLink } from '../../../parts/page/links.tsx';
import { Page, Section } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/docs/')({ component: Index });

/** All pages of the documentation, by what they are for. */
function Index() {
  const t = useTranslations('docs');
  return (
    <Page title={t('title')}>
      <Stack maw={820}>
        {groups.map(({ name, pages }) => (
          <Section key={name} title={t(`groups.${name}`)}>
            <SimpleGrid
              cols={{ base: 1, xs: 2 }}
              spacing="xs"
              verticalSpacing={4}
              component="ul"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
            >
              {name === 'reference' && (
                <li>
                  <PageLink size="sm" to="/docs/api">
                    {t('api')}
                  </PageLink>
                </li>
              )}
              {pages.map(({ slug, title, about }) => (
                <li key={slug}>
                  <PageLink size="sm" to="/docs/$" params={{ _splat: slug }}>
                    {title}
                  </PageLink>
                  {name === 'start' && (
                    <Text size="xs" c="dimmed">
                      {about}
                    </Text>
                  )}
                </li>
              ))}
            </SimpleGrid>
          </Section>
        ))}
      </Stack>
    </Page>
  );
}
