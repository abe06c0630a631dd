import './guide.css';
import type { GuideText } from 'virtual:guides';
import { Box, Group, TableOfContents, Typography } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl';
import { CopyBelow } from '../copy.tsx';
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
            <Content key={slug} html={withOwnAddress(html, slug)} />
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

/** The text of a guide, with a button below each block of code. */
function Content({ html }: { html: string }) {
  const t = useTranslations('docs');
  const content = useRef<HTMLDivElement>(null);
  const [blocks, setBlocks] = useState<readonly { place: HTMLElement; code: string }[]>([]);
  // Before the page is painted, so that nothing moves.
  useLayoutEffect(() => {
    const found = [...content.current!.querySelectorAll('pre')].map((block) => {
      const place = document.createElement('div');
      place.className = 'copy';
      block.after(place);
      return { place, code: block.textContent.trimEnd() };
    });
    setBlocks(found);
    return () => {
      for (const { place } of found) place.remove();
    };
  }, [html]);
  return (
    <>
      <div ref={content} dangerouslySetInnerHTML={{ __html: html }} />
      {blocks.map(({ place, code }, index) =>
        createPortal(<CopyBelow value={code} label={t('copyCode')} />, place, `${index}`),
      )}
    </>
  );
}

/** These are about another installation, which the reader is about to start. */
const OF_ANOTHER: readonly string[] = ['guides/docker-compose', 'guides/real-phone'];

/** The guides name example addresses. The code of a guide works as it stands with the address of this installation. */
const withOwnAddress = (html: string, slug: string): string =>
  OF_ANOTHER.includes(slug)
    ? html
    : html.replace(/https?:\/\/(?:localhost:8080|links\.example\.com)(?=\/(?:api|docs)\b)/g, location.origin);
