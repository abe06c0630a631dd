import './guide.css';
import type { GuideText } from 'virtual:guides';
import { Box, Group, TableOfContents, Typography } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Page } from '../page/page.tsx';

export function GuidePage({ title, guide: { html, headings } }: { title: string; guide: GuideText }) {
  const t = useTranslations('docs');
  return (
    <Page title={title}>
      <Group align="start" gap="xl" wrap="nowrap">
        <Box maw={820} miw={0} flex={1}>
          <Typography className="guide">
            <div dangerouslySetInnerHTML={{ __html: html }} />
          </Typography>
        </Box>
        {headings.length > 1 && (
          <Box component="nav" aria-label={t('onThisPage')} className="headings">
            <TableOfContents
              key={title}
              variant="light"
              size="sm"
              scrollSpyOptions={{ selector: '.guide :is(h2, h3)', offset: 80 }}
              getControlProps={({ data }) => ({ component: 'a', href: `#${data.id}`, children: data.value })}
            />
          </Box>
        )}
      </Group>
    </Page>
  );
}
