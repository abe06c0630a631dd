import type { Link } from '@landfall/api-client';
import { linkNameOf } from '@landfall/api-client/link-name';
import { Alert, Button, Group, Kbd, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useClipboard, useHotkeys } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { Copy, CopyLine, MAY_COPY } from '../../copy.tsx';
import { DataTable } from '../../page/data-table.tsx';
import { PageButton, PageLink } from '../../page/links.tsx';
import { Section } from '../../page/page.tsx';
import { useTouch } from '../../page/use-touch.ts';
import { QrCode } from '../qr-code.tsx';
import { useHost } from './link-builder.tsx';

/** The links that were made on this page, latest first. The address of the latest is copied with one key. */
export function MadeLinks({ links, onAnother }: { links: readonly Link[]; onAnother: () => void }) {
  const t = useTranslations('linkBuilder');
  const { id: appId } = useApp();
  const [host] = useHost();
  const clipboard = useClipboard();
  const hasTouch = useTouch();
  const [latest, ...earlier] = links.map((link) => ({ ...link, url: urlOn(link.url, host) }));
  useHotkeys([['y', () => MAY_COPY && latest && clipboard.copy(latest.url)]]);
  if (!latest) return null;
  return (
    <Stack>
      <Alert color="teal.9" role="status" title={t('made', { name: linkNameOf(latest) })}>
        <CopyLine value={latest.url} label={t('copy')} />
        {MAY_COPY && !hasTouch && (
          <Text size="xs" mt={4}>
            {clipboard.copied ? t('isCopied') : t.rich('copyKey', { key: (text) => <Kbd size="xs">{text}</Kbd> })}
          </Text>
        )}
      </Alert>
      <Group>
        <Button autoFocus onClick={onAnother}>
          {t('another')}
        </Button>
        <PageButton variant="default" to="/apps/$appId/links/$linkId" params={{ appId, linkId: latest.id }}>
          {t('open')}
        </PageButton>
        <PageButton variant="default" to="/try" search={{ link: latest.url }}>
          {t('try')}
        </PageButton>
      </Group>
      <QrCode url={latest.url} name={latest.name ?? ''} />
      {earlier.length > 0 && (
        <Section title={t('madeHere')} actions={<CopyAll urls={[latest, ...earlier].map(({ url }) => url)} />}>
          <DataTable
            t={t}
            rows={[latest, ...earlier]}
            style={{ overflowWrap: 'anywhere' }}
            columns={{
              name: {
                w: '40%',
                cell: (link) => (
                  <PageLink to="/apps/$appId/links/$linkId" params={{ appId, linkId: link.id }} size="sm">
                    {linkNameOf(link)}
                  </PageLink>
                ),
              },
              address: ({ url }) => url,
              copy: {
                heading: <VisuallyHidden>{t('copy')}</VisuallyHidden>,
                w: 48,
                cell: ({ url, slug }) => <Copy value={url} label={t('copyNamed', { slug })} />,
              },
            }}
          />
        </Section>
      )}
    </Stack>
  );
}

function CopyAll({ urls }: { urls: readonly string[] }) {
  const t = useTranslations('linkBuilder');
  const clipboard = useClipboard();
  if (!MAY_COPY) return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => clipboard.copy(urls.join('\n'))}>
      {clipboard.copied ? t('isCopied') : t('copyAll')}
    </Button>
  );
}

function urlOn(url: string, host: string): string {
  const { protocol, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
