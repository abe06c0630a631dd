import type { Link as LinkView } from '@landfall/api-client';
import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { client } from '../../../api/client.ts';
import { CopyBlock, CopyLine } from '../../../parts/copy.tsx';
import { QrCode } from '../../../parts/links/qr-code.tsx';
import { useLiveEvents } from '../../../parts/live/live-events.ts';
import { LiveList } from '../../../parts/live/live-list.tsx';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { Section } from '../../../parts/page/section.tsx';

export const Route = createFileRoute('/_app/apps/$appId/start')({ component: Start });

/** The user agent of a phone. */
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const DESTINATION = '/hello?from=landfall';

/** From a new app to its first tap. */
function Start() {
  const t = useTranslations('start');
  const { appId } = Route.useParams();
  const app = useApp(appId);
  // A click on the second step is heard also when it comes in a moment.
  const { items, connected } = useLiveEvents(appId);
  const makeKey = useMutation({
    mutationFn: () =>
      client.POST('/api/manage/apps/{appId}/keys', {
        params: { path: { appId } },
        body: { kind: 'server', label: t('keyLabel') },
      }),
  });
  const makeLink = useMutation({
    mutationFn: () =>
      client.POST('/api/manage/apps/{appId}/links', {
        params: { path: { appId } },
        body: { destination: DESTINATION },
      }),
  });
  const [made, setMade] = useState<LinkView | null>(null);
  const key = makeKey.data?.data?.plaintext;
  const taps = items.filter(({ kind }) => kind === 'click' || kind === 'decision');
  // A link that was made with the command.
  const ofCommand = items.find(({ kind }) => kind === 'linkCreated')?.linkId;
  const findLink = async (linkId: string) => {
    const { data } = await client.GET('/api/manage/links/{linkId}', { params: { path: { linkId } } });
    setMade(data!.link);
  };
  if (!made && typeof ofCommand === 'string') void findLink(ofCommand);
  const link = made ?? makeLink.data?.data?.link ?? null;
  return (
    <Page title={t('title', { name: app.name })}>
      <Step number={1} title={t('key')}>
        <Text>{t('keyText')}</Text>
        {key === undefined ? (
          <Group>
            <Button onClick={() => makeKey.mutate()} loading={makeKey.isPending}>
              {t('makeKey')}
            </Button>
          </Group>
        ) : (
          <>
            <CopyLine value={key} label={t('copyKey')} />
            <Text size="sm" fw={600}>
              {t('once')}
            </Text>
          </>
        )}
        {makeKey.isError && <FailureAlert error={makeKey.error} />}
      </Step>
      <Step number={2} title={t('link')}>
        {key !== undefined && <CopyBlock label={t('copyCommand')} value={curlOf(key)} />}
        <Group gap="sm">
          {key !== undefined && <Text size="sm">{t('or')}</Text>}
          <Button
            variant={key === undefined ? 'default' : 'filled'}
            onClick={() => makeLink.mutate()}
            loading={makeLink.isPending}
          >
            {t('makeLink')}
          </Button>
        </Group>
        {makeLink.isError && <FailureAlert error={makeLink.error} />}
        {link && (
          <Group align="flex-start">
            <QrCode url={link.url} />
            <Stack gap="xs" flex={1} miw={240}>
              <CopyLine value={link.url} label={t('copyLink')} />
              <Text size="sm">{t('scan')}</Text>
              <Anchor href={link.url} target="_blank" rel="noreferrer">
                {t('tap')}
              </Anchor>
            </Stack>
          </Group>
        )}
      </Step>
      <Step number={3} title={t('wait')}>
        {taps.length === 0 && (
          <Group gap="xs" role="status">
            <Loader size="sm" type="dots" />
            <Text>{connected ? t('waiting') : t('connecting')}</Text>
          </Group>
        )}
        {taps.length === 0 && link && (
          <>
            <Text size="sm">{t('noTap')}</Text>
            <CopyBlock label={t('copyTap')} value={`curl -A '${PHONE}' ${link.url}`} />
          </>
        )}
        {taps.length > 0 && (
          <Alert color="teal.9" title={t('arrived')} role="status">
            {t('arrivedText')}
          </Alert>
        )}
        <LiveList appId={appId} items={taps} timeZone={app.timeZone} />
        <PageLink to="/apps/$appId" params={{ appId }}>
          {t('go')}
        </PageLink>
      </Step>
    </Page>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return <Section title={`${number}. ${title}`}>{children}</Section>;
}

const curlOf = (key: string): string =>
  [
    `curl -X POST ${location.origin}/api/links/create-sdk \\`,
    `  -H 'x-service-sdk-key: ${key}' -H 'content-type: application/json' \\`,
    `  -d '{"destination": "${DESTINATION}"}'`,
  ].join('\n');
