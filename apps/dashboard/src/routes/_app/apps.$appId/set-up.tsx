import type { paths } from '@landfall/api-client';
import { Alert, Badge, Button, Group, List, Stack, Tabs, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, useApp, useMay } from '../../../api/index.ts';
import { CopyBlock } from '../../../parts/copy.tsx';
import { rowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { CommandButton, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { Clients } from '../../../parts/set-up/clients.tsx';
import { Domains } from '../../../parts/set-up/domains.tsx';
import { PLATFORMS, type SetUpPlatform, snippetsOf } from '../../../parts/set-up/snippets.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/set-up')({
  validateSearch: ({ platform }: Record<string, unknown>): { platform?: SetUpPlatform } =>
    PLATFORMS.includes(platform as SetUpPlatform) ? { platform: platform as SetUpPlatform } : {},
  component: SetUpApp,
});

function SetUpApp() {
  const t = useTranslations('setUpApp');
  return (
    <Page title={t('title')}>
      <Code />
      <Clients />
      <Checks />
      <Domains />
    </Page>
  );
}

function Code() {
  const t = useTranslations('setUpApp');
  const { platform = 'ios' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { id: appId, linkHost, openHost, name } = useApp();
  const mayMakeKey = useMay('admin');
  const kind = platform === 'server' ? 'server' : 'mobile';
  const [made, setMade] = useState<{ kind: string; plaintext: string }>();
  async function makeKey() {
    const answer = await client.POST('/api/manage/apps/{appId}/keys', {
      params: { path: { appId } },
      body: { kind, label: t('keyLabel', { platform: t(`platforms.${platform}`) }) },
    });
    setMade({ kind, plaintext: answer.data!.plaintext });
    return answer;
  }
  const key = made?.kind === kind ? made.plaintext : 'YOUR_KEY';
  const plain = (host: string) => host.replace(/:\d+$/, '');
  const hosts = { linkHost: plain(linkHost), openHost: plain(openHost) };
  const snippets = snippetsOf(platform, { api: location.origin, appId, key, ...hosts });
  return (
    <Section title={t('code')}>
      <Text size="md">{t('codeText', { name })}</Text>
      <Tabs
        value={platform}
        keepMounted={false}
        onChange={(value) =>
          value && void navigate({ search: { platform: value as SetUpPlatform }, replace: true, resetScroll: false })
        }
      >
        <Tabs.List>
          {PLATFORMS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`platforms.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {PLATFORMS.map((one) => (
          <Tabs.Panel key={one} value={one} pt="md">
            <Stack>
              {one !== 'web' && (
                <Group gap="sm">
                  <Text>{key === 'YOUR_KEY' ? t('noKey', { kind }) : t('withKey')}</Text>
                  {mayMakeKey && key === 'YOUR_KEY' && (
                    <CommandButton size="compact-sm" command={makeKey}>
                      {t('makeKey', { kind })}
                    </CommandButton>
                  )}
                </Group>
              )}
              {snippets.map(({ step, code }) => (
                <div key={step}>
                  <Text fw={600} mb={4}>
                    {t(`steps.${step}`)}
                  </Text>
                  <CopyBlock value={code} label={t('copy', { step: t(`steps.${step}`) })} />
                </div>
              ))}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

const COLORS = { ok: 'teal.9', warn: 'yellow.4', failed: 'red.9', skipped: 'gray.8' } as const;

/** What phones need, as the gateway sees it. Each finding has one fix. */
function Checks() {
  const t = useTranslations('setUpApp');
  const { appId } = Route.useParams();
  const query = api.useQuery('get', CHECKS, { params: { path: { appId } } }, { staleTime: 60_000 });
  return (
    <Section
      title={t('checks')}
      actions={
        <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t('checkAgain')}
        </Button>
      }
    >
      <Loaded query={query} rows={7}>
        {({ findings, files, regular }) => (
          <>
            <RegularCheck check={regular} />
            <DataTable
              rows={findings}
              rowKey={({ check, host }) => `${check} ${host}`}
              columns={{
                state: {
                  w: 110,
                  style: { verticalAlign: 'top' },
                  cell: ({ state }) => <Badge color={COLORS[state]}>{t(`states.${state}`)}</Badge>,
                },
                finding: {
                  style: { overflowWrap: 'anywhere' },
                  cell: ({ check, host, detail, fix }) => (
                    <>
                      <Text fw={600}>
                        {t(`names.${check}`)}
                        {host !== null && ` · ${host}`}
                      </Text>
                      <Text>{detail}</Text>
                      <Text fs="italic">{fix}</Text>
                    </>
                  ),
                },
              }}
            />
            {(['apple', 'google'] as const).map((name) =>
              files[name] === null ? null : (
                <details key={name}>
                  <summary>{t(`files.${name}`)}</summary>
                  <CopyBlock value={files[name]} label={t('copyFile', { name: t(`files.${name}`) })} />
                </details>
              ),
            )}
            <Alert title={t('doctor')}>{t('doctorText')}</Alert>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const CHECKS = '/api/manage/apps/{appId}/checks';
type Check = paths[typeof CHECKS]['get']['responses'][200]['content']['application/json']['regular'];

/** The last regular check of the hosts: when it was, and what failed. */
function RegularCheck({ check }: { check: Check }) {
  const t = useTranslations('setUpApp');
  const { appId } = Route.useParams();
  const mayCheck = useMay('member');
  const checkNow = () => client.POST(CHECKS, { params: { path: { appId } } });
  const failed = check?.findings.filter(({ state }) => state === 'failed') ?? [];
  const copies = check?.findings.filter(({ state }) => state === 'warn') ?? [];
  return (
    <div>
      <Group justify="space-between">
        <Text>
          <b>{t('regular')}: </b>
          {check === null ? (
            t('regularNone')
          ) : (
            <>
              {t('regularAt')} <Ago at={check.checkedAt} />.{' '}
              {failed.length === 0 ? t('regularOk') : t('regularFailed', { count: failed.length })}
            </>
          )}
        </Text>
        {mayCheck && (
          <CommandButton {...rowButton} command={checkNow}>
            {t('checkHosts')}
          </CommandButton>
        )}
      </Group>
      <List size="sm">
        {[...failed, ...copies].map(({ check: name, host, detail, fix }) => (
          <List.Item key={`${name} ${host}`}>
            {t(`names.${name}`)} · {host}: {detail} {fix}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
