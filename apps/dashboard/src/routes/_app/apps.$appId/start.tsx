import type { Link } from '@landfall/api-client';
import { Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp } from '../../../api/index.ts';
import { CopyBlock, CopyLine } from '../../../parts/copy.tsx';
import { QrCode } from '../../../parts/links/qr-code.tsx';
import { linkQuery } from '../../../parts/links/queries.ts';
import { useLiveEvents } from '../../../parts/live/live-events.ts';
import { LiveList } from '../../../parts/live/live-list.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { CommandButton, Page, Section } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/$appId/start')({ component: Start });

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const DESTINATION = '/hello?from=landfall';

/** From a new app to its first tap. */
function Start() {
  const t = useTranslations('start');
  const { id: appId, name } = useApp();
  // A click on the second step is heard also when it comes in a moment.
  const { items, connected } = useLiveEvents(appId);
  const params = { path: { appId } };
  const [key, setKey] = useState<string>();
  const [made, setMade] = useState<Link>();
  async function makeKey() {
    const body = { kind: 'server', label: t('keyLabel') } as const;
    const answer = await client.POST('/api/manage/apps/{appId}/keys', { params, body });
    setKey(answer.data!.plaintext);
    return answer;
  }
  async function makeLink() {
    const body = { destination: DESTINATION };
    setMade((await client.POST('/api/manage/apps/{appId}/links', { params, body })).data!.link);
  }
  const taps = items.filter(({ kind }) => kind === 'click' || kind === 'decision');
  // The first link that was made here or with the command.
  const linkId = items.findLast(({ kind }) => kind === 'linkCreated')?.linkId;
  const { data: found } = useQuery({ ...linkQuery(`${linkId}`), enabled: linkId !== undefined });
  const link = found?.link ?? made;
  return (
    <Page title={t('title', { name })}>
      <Section title={`1. ${t('key')}`}>
        <Text size="md">{t('keyText')}</Text>
        {key === undefined ? (
          <Group>
            <CommandButton command={makeKey}>{t('makeKey')}</CommandButton>
          </Group>
        ) : (
          <>
            <CopyLine value={key} label={t('copyKey')} />
            <Text fw={600}>{t('once')}</Text>
          </>
        )}
      </Section>
      <Section title={`2. ${t('link')}`}>
        {key !== undefined && <CopyBlock label={t('copyCommand')} value={curlOf(key)} />}
        <Group gap="sm">
          {key !== undefined && <Text>{t('or')}</Text>}
          <CommandButton variant={key === undefined ? 'default' : 'filled'} command={makeLink}>
            {t('makeLink')}
          </CommandButton>
        </Group>
        {link && (
          <Group align="flex-start">
            <QrCode url={link.url} />
            <Stack gap="xs" flex={1} miw={240}>
              <CopyLine value={link.url} label={t('copyLink')} />
              <Text>{t('scan')}</Text>
              <Anchor href={link.url} target="_blank" rel="noreferrer">
                {t('tap')}
              </Anchor>
            </Stack>
          </Group>
        )}
      </Section>
      <Section title={`3. ${t('wait')}`}>
        {taps.length === 0 && (
          <Group gap="xs" role="status">
            <Loader size="sm" type="dots" />
            <Text size="md">{connected ? t('waiting') : t('connecting')}</Text>
          </Group>
        )}
        {taps.length === 0 && link && (
          <>
            <Text>{t('noTap')}</Text>
            <CopyBlock label={t('copyTap')} value={`curl -A '${PHONE}' ${link.url}`} />
          </>
        )}
        {taps.length > 0 && (
          <Alert color="teal.9" title={t('arrived')} role="status">
            {t('arrivedText')}
          </Alert>
        )}
        <LiveList appId={appId} items={taps} />
        <PageLink to="/apps/$appId" params={{ appId }}>
          {t('go')}
        </PageLink>
      </Section>
    </Page>
  );
}

const curlOf = (key: string): string =>
  [
    `curl -X POST ${location.origin}/api/links/create-sdk \\`,
    `  -H 'x-service-sdk-key: ${key}' -H 'content-type: application/json' \\`,
    `  -d '{"destination": "${DESTINATION}"}'`,
  ].join('\n');
