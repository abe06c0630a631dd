import { Alert, Box, Button, Group, Loader, Paper, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../../api/index.ts';
import { CopyBlock, CopyLine } from '../../../parts/copy.tsx';
import { QrCode } from '../../../parts/links/qr-code.tsx';
import { latestLinkQuery } from '../../../parts/links/queries.ts';
import { useLiveEvents } from '../../../parts/live/live-events.ts';
import { LiveList } from '../../../parts/live/live-list.tsx';
import { Disclosure } from '../../../parts/page/disclosure.tsx';
import { PageButton, PageLink } from '../../../parts/page/links.tsx';
import { CommandButton, Page } from '../../../parts/page/page.tsx';
import classes from '../../../parts/start/start.module.css';
import { STEPS, type StepName, type Steps, useSteps } from '../../../parts/start/steps.ts';

export const Route = createFileRoute('/_app/apps/$appId/start')({ component: Start });

/** A link that anybody would make first. */
const PROPOSED = '/welcome?from=first-link';

/** From a new app to its first restored link, and to the code for it. */
function Start() {
  const t = useTranslations('start');
  const { id: appId, name } = useApp();
  const { items, connected } = useLiveEvents(appId);
  const queries = useQueryClient();
  const steps = useSteps(appId);
  const link = useQuery(latestLinkQuery(appId)).data?.links[0];
  const mayMakeLinks = useMay('member');
  const mayMakeKeys = useMay('admin');
  // An event may complete a step.
  useEffect(() => {
    if (items.length > 0) void queries.invalidateQueries();
  }, [items.length, queries]);
  const done = typeof steps === 'object' ? steps : undefined;
  const next = done && STEPS.find((name) => !done[name]);
  const taps = items.filter(({ kind }) => kind === 'click' || kind === 'decision');
  return (
    <Page title={t('title', { name })}>
      <Progressed done={done} />
      <Step number={1} name="link" done={done?.link}>
        {link ? (
          <CopyLine value={link.url} label={t('copyLink')} />
        ) : mayMakeLinks ? (
          <FirstLink appId={appId} />
        ) : (
          <Text>{t('needs.member')}</Text>
        )}
      </Step>
      <Step number={2} name="tap" done={done?.tap}>
        {link ? <Tap url={link.url} isNext={next === 'tap'} /> : <Text>{t('first')}</Text>}
        {link && done?.tap === false && (
          <Group gap="xs" role="status">
            <Loader size="sm" type="dots" />
            <Text size="md">{connected ? t('waiting') : t('connecting')}</Text>
          </Group>
        )}
        <LiveList appId={appId} items={taps} />
      </Step>
      <Step number={3} name="restore" done={done?.restore}>
        <Restore url={link?.url} done={done?.restore} isNext={next === 'restore'} />
      </Step>
      <Step number={4} name="key" done={done?.key}>
        {mayMakeKeys ? <Key appId={appId} isNext={next === 'key'} /> : <Text>{t('needs.admin')}</Text>}
      </Step>
      <Step number={5} name="app" done={done?.app}>
        <Text size="md">{t('appText')}</Text>
        <Group>
          <PageButton to="/apps/$appId/set-up" params={{ appId }} variant={variantOf(next === 'app')}>
            {t('toSetUp')}
          </PageButton>
        </Group>
      </Step>
      <PageLink to="/apps/$appId" params={{ appId }}>
        {t('go')}
      </PageLink>
    </Page>
  );
}

/** The button of the first step that is left stands out. */
const variantOf = (isNext: boolean) => (isNext ? 'filled' : 'default');

interface StepProps {
  number: number;
  name: StepName;
  /** Undefined until it is known. */
  done: boolean | undefined;
  children: ReactNode;
}

/** A step that was done when the page opened is one line. One that is done meanwhile keeps what it shows. */
function Step({ number, name, done, children }: StepProps) {
  const t = useTranslations('start');
  const id = useId();
  const [isFolded, setIsFolded] = useState<boolean>();
  // The first answer decides.
  if (isFolded === undefined && done !== undefined) setIsFolded(done);
  const title = (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Box role="status" flex="none" h={24} pt={2}>
        {done ? (
          <CircleCheck size={20} color="var(--mantine-color-teal-text)" role="img" aria-label={t('done')} />
        ) : (
          <Circle size={20} color="var(--mantine-color-dimmed)" aria-hidden />
        )}
      </Box>
      <Title order={2} size="h4" id={id}>
        {`${number}. ${t(`steps.${name}`)}`}
      </Title>
    </Group>
  );
  return (
    <Paper withBorder component="section" aria-labelledby={id}>
      {isFolded ? (
        <Disclosure inCard className={classes.line} summary={title}>
          <Stack gap="sm">{children}</Stack>
        </Disclosure>
      ) : (
        <Stack gap="sm" p="md">
          {title}
          {children}
        </Stack>
      )}
    </Paper>
  );
}

/** How many steps are done. It keeps its place until that is known. */
function Progressed({ done }: { done: Steps | undefined }) {
  const t = useTranslations('start');
  const count = done && STEPS.filter((name) => done[name]).length;
  const text = count === undefined ? '' : t('progress', { count, all: STEPS.length });
  return (
    <Stack gap={6}>
      <Text fw={600} mih={22}>
        {text}
      </Text>
      <Progress value={(100 * (count ?? 0)) / STEPS.length} color="teal.8" aria-label={text} />
    </Stack>
  );
}

function FirstLink({ appId }: { appId: string }) {
  const t = useTranslations('start');
  const [destination, setDestination] = useState(PROPOSED);
  const make = () =>
    client.POST('/api/manage/apps/{appId}/links', { params: { path: { appId } }, body: { destination } });
  return (
    <Stack gap="sm" align="flex-start">
      <TextInput
        label={t('destination')}
        description={t('destinationText')}
        value={destination}
        onChange={({ currentTarget }) => setDestination(currentTarget.value)}
        w="100%"
        maw={420}
      />
      <CommandButton command={make}>{t('makeLink')}</CommandButton>
    </Stack>
  );
}

/** True for a host that only this machine finds. */
const isLocal = (url: string): boolean => /(^|\.)localhost$|^127\./.test(new URL(url).hostname);

function Tap({ url, isNext }: { url: string; isNext: boolean }) {
  const t = useTranslations('start');
  return (
    <>
      <Group>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant={variantOf(isNext)}>
          {t('tap')}
        </Button>
      </Group>
      {isLocal(url) ? (
        <Text>
          {t('local')}{' '}
          <PageLink size="sm" underline="always" to="/docs/$" params={{ _splat: 'guides/real-phone' }}>
            {t('realPhone')}
          </PageLink>
        </Text>
      ) : (
        <>
          <Text>{t('scan')}</Text>
          <QrCode url={url} toScan />
        </>
      )}
    </>
  );
}

interface RestoreProps {
  url: string | undefined;
  done: boolean | undefined;
  isNext: boolean;
}

function Restore({ url, done, isNext }: RestoreProps) {
  const t = useTranslations('start');
  const { id: appId, simulated } = useApp();
  return (
    <>
      <Text size="md">{t('restoreText')}</Text>
      {!done && <Text>{simulated ? t('simulated') : t('notSimulated')}</Text>}
      {simulated && url && (
        <Group>
          <Button component="a" href={`${url}?lf_phone=1`} target="_blank" rel="noreferrer" variant={variantOf(isNext)}>
            {t('play')}
          </Button>
        </Group>
      )}
      {done && (
        <Alert color="teal.9" title={t('restored')}>
          <PageLink size="sm" to="/apps/$appId/restores" params={{ appId }}>
            {t('why')}
          </PageLink>
        </Alert>
      )}
    </>
  );
}

function Key({ appId, isNext }: { appId: string; isNext: boolean }) {
  const t = useTranslations('start');
  const [key, setKey] = useState<string>();
  async function make() {
    const body = { kind: 'server', label: t('keyLabel') } as const;
    const answer = await client.POST('/api/manage/apps/{appId}/keys', { params: { path: { appId } }, body });
    setKey(answer.data!.plaintext);
    return answer;
  }
  return (
    <>
      <Text size="md">{t('keyText')}</Text>
      {key === undefined ? (
        <Group>
          <CommandButton command={make} variant={variantOf(isNext)}>
            {t('makeKey')}
          </CommandButton>
        </Group>
      ) : (
        <>
          <CopyLine value={key} label={t('copyKey')} />
          <Text fw={600}>{t('once')}</Text>
          <CopyBlock label={t('copyCommand')} value={curlOf(key)} />
        </>
      )}
    </>
  );
}

const curlOf = (key: string): string =>
  [
    `curl -X POST ${location.origin}/api/links/create-sdk \\`,
    `  -H 'x-service-sdk-key: ${key}' -H 'content-type: application/json' \\`,
    `  -d '{"destination": "/hello?from=backend"}'`,
  ].join('\n');
