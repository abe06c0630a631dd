// What a link is: its address, its destination, its fields.

import { splitUtm, UTM } from '@landfall/api-client/utm';
import { Code, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { CopyLine } from '../../copy.tsx';
import { Facts } from '../../page/data-table.tsx';
import { PageLink } from '../../page/links.tsx';
import { Ago } from '../../time.tsx';
import { metadataText, useMaker } from '../list/cells.tsx';
import list from '../list/list.module.css';
import type { ListedLink } from '../list/view.ts';

export type WholeLink = Omit<ListedLink, 'figures'>;

const PAGES = ['webUrl', 'iosUrl', 'androidUrl', 'expiredUrl'] as const;

export function LinkFacts({ link }: { link: WholeLink }) {
  const t = useTranslations('link');
  const words = useTranslations('linkBuilder');
  const { id: appId } = useApp();
  const { destination, tags, note, createdAt, expiresAt, metadata } = link;
  const { rest, utm } = splitUtm(destination);
  const given = UTM.filter((name) => utm[name] !== '');
  const by = useMaker(link);
  const isShort = isShortText(metadata);
  return (
    <Stack gap="xs">
      <CopyLine value={link.url} label={t('copy')} />
      <Facts
        width={130}
        verticalSpacing={3}
        of={{
          [t('destination')]: <bdi>{rest}</bdi>,
          ...Object.fromEntries(
            given.map((name) => [words(name), <UtmValue key={name} name={name} value={utm[name]} />]),
          ),
          ...(tags.length > 0 && {
            [words('tags')]: (
              <Group gap="xs">
                {tags.map((tag) => (
                  <PageLink
                    key={tag}
                    size="xs"
                    className={list.chip!}
                    to="/apps/$appId/links"
                    params={{ appId }}
                    search={{ tag }}
                  >
                    <bdi>{tag}</bdi>
                  </PageLink>
                ))}
              </Group>
            ),
          }),
          ...Object.fromEntries(PAGES.filter((name) => link[name] !== null).map((name) => [words(name), link[name]])),
          [t('created')]: (
            <Text span>
              <Ago at={createdAt} />, <bdi>{by}</bdi>
            </Text>
          ),
          ...(expiresAt !== null && { [t('expires')]: <Ago at={expiresAt} /> }),
          ...(note !== null && { [words('note')]: <Note text={note} /> }),
          ...(isShort && { [t('metadata')]: <bdi>{metadataText(link)}</bdi> }),
        }}
      />
      {!isShort && Object.keys(metadata).length > 0 && (
        <div>
          <Text fw={600}>{t('metadata')}</Text>
          <Code block tabIndex={0} role="region" aria-label={t('metadata')}>
            {JSON.stringify(metadata, null, 2)}
          </Code>
        </div>
      )}
    </Stack>
  );
}

function UtmValue({ name, value }: { name: (typeof UTM)[number]; value: string }) {
  const { id: appId } = useApp();
  if (name !== 'utm_campaign') return <bdi>{value}</bdi>;
  return (
    <PageLink size="sm" to="/apps/$appId/links" params={{ appId }} search={{ campaign: value }}>
      <bdi>{value}</bdi>
    </PageLink>
  );
}

function Note({ text }: { text: string }) {
  return (
    <Text span dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
      {text}
    </Text>
  );
}

/** The most values of metadata that one line has. */
const FEW = 3;

/** True for few texts without a line break, which need no block of JSON. */
function isShortText(metadata: WholeLink['metadata']): boolean {
  const values: unknown[] = Object.values(metadata);
  return (
    values.length > 0 &&
    values.length <= FEW &&
    values.every((value) => typeof value === 'string' && value.length <= 60 && !value.includes('\n'))
  );
}
