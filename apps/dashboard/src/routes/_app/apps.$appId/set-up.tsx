import type { paths } from '@landfall/api-client';
import { Alert, Button, Group, List, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, useMay } from '../../../api/index.ts';
import { CopyBlock } from '../../../parts/copy.tsx';
import { rowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { Disclosure } from '../../../parts/page/disclosure.tsx';
import { CommandButton, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { Clients } from '../../../parts/set-up/clients.tsx';
import { SetUpCode } from '../../../parts/set-up/code.tsx';
import { PLATFORMS, type SetUpPlatform, VARIANTS, type Variant } from '../../../parts/set-up/platforms.ts';
import { ToField } from '../../../parts/set-up/to-field.tsx';
import { State } from '../../../parts/states/state.tsx';
import { stateOf, states } from '../../../parts/states/states.ts';
import { Ago } from '../../../parts/time.tsx';

interface Search {
  platform?: SetUpPlatform;
  variant?: Variant;
}

export const Route = createFileRoute('/_app/apps/$appId/set-up')({
  validateSearch: (search: Record<string, unknown>): Search => {
    const platform = PLATFORMS.find((one) => one === search.platform);
    const variant = platform && VARIANTS[platform].find((one) => one === search.variant);
    return { ...(platform && { platform }), ...(variant && { variant }) };
  },
  component: SetUpApp,
});

function SetUpApp() {
  const t = useTranslations('setUpApp');
  const navigate = Route.useNavigate();
  return (
    <Page title={t('title')}>
      {/* They say why nothing works. */}
      <Checks />
      <SetUpCode
        {...Route.useSearch()}
        onChoose={(search) => void navigate({ search, replace: true, resetScroll: false })}
      />
      <Clients />
    </Page>
  );
}

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
      <Loaded query={query} rows={24}>
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
                  cell: ({ state }) => <State words={states.finding} of={state} t={(word) => t(`states.${word}`)} />,
                },
                finding: {
                  style: { overflowWrap: 'anywhere' },
                  cell: ({ check, host, state, detail, fix }) => (
                    <>
                      <Text fw={600}>
                        {t(`names.${check}`)}
                        {host !== null && ` · ${host}`}
                      </Text>
                      <Text>{detail}</Text>
                      <Text fs="italic">{fix}</Text>
                      {state === 'warn' && <ToField check={check} />}
                    </>
                  ),
                },
              }}
            />
            {(['apple', 'google'] as const).map((name) =>
              files[name] === null ? null : (
                <Disclosure key={name} summary={t(`files.${name}`)}>
                  <CopyBlock value={files[name]} label={t('copyFile', { name: t(`files.${name}`) })} />
                </Disclosure>
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
  const findings = check?.findings ?? [];
  const [failed, warned] = (['failed', 'warn'] as const).map((one) => findings.filter(({ state }) => state === one));
  const { word } = stateOf(states.regular, check && findings.map(({ state }) => state));
  const said = t(`regularStates.${word}`, { failed: failed!.length, warned: warned!.length });
  return (
    <div>
      <Group justify="space-between">
        <Text>
          <b>{t('regular')}: </b>
          {check !== null && (
            <>
              {t('regularAt')} <Ago at={check.checkedAt} />.{' '}
            </>
          )}
          {said} {mayCheck && t('checkHostsHelp')}
        </Text>
        {mayCheck && (
          <CommandButton {...rowButton} command={checkNow}>
            {t('checkHosts')}
          </CommandButton>
        )}
      </Group>
      <List size="sm">
        {[...failed!, ...warned!].map(({ check: name, host, detail, fix }) => (
          <List.Item key={`${name} ${host}`}>
            {t(`names.${name}`)} · {host}: {detail} {fix}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
