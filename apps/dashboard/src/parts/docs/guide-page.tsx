import './guide.css';
import type { GuideText } from 'virtual:guides';
import { Box, Group, TableOfContents, Typography } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Page } from '../page/page.tsx';

interface GuidePageProps {
  slug: string;
  title: string;
  guide: GuideText;
}

export function GuidePage({ slug, title, guide: { html, headings } }: GuidePageProps) {
  const t = useTranslations('docs');
  return (
    <Page title={title}>
      <Group align="start" gap="xl" wrap="nowrap">
        <Box maw={820} miw={0} flex={1}>
          <Typography className="guide">
            <div dangerouslySetInnerHTML={{ __html: withOwnAddress(html, slug) }} />
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

/** These are about another installation, which the reader is about to start. */
const OF_ANOTHER: readonly string[] = ['guides/docker-compose', 'guides/real-phone'];

/** The guides name example addresses. The code of a guide works as it stands with the address of this installation. */
const withOwnAddress = (html: string, slug: string): string =>
  OF_ANOTHER.includes(slug)
    ? html
    : html.replace(/https?:\/\/(?:localhost:8080|links\.example\.com)(?=\/(?:api|docs)\b)/g, location.origin);
