import type { paths } from '@landfall/api-client';
import { Badge, List, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, askEvery } from '../../../api/index.ts';
import { Health } from '../../../parts/health.tsx';
import { DataTable, Facts } from '../../../parts/page/data-table.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { State } from '../../../parts/states/state.tsx';
import { stateOf, states } from '../../../parts/states/states.ts';
import { useIsNarrow } from '../../../parts/views/filters-button.tsx';

export const Route = createFileRoute('/_app/instance/')({ component: Instance });

function Instance() {
  const t = useTranslations('instance');
  const query = api.useQuery('get', '/api/manage/gateway', {}, { refetchInterval: askEvery(10_000) });
  return (
    <Page title={t('title')}>
      <Loaded query={query} rows={12}>
        {({ gateway }) => (
          <>
            <Section title={t('health')}>
              <Health publicUrl={gateway.publicUrl} />
              <Text>{t.rich('more', { guide: (text) => <ToGuide>{text}</ToGuide> })}</Text>
            </Section>
            <Section title={t('gateway')}>
              <GatewayFacts gateway={gateway} />
            </Section>
            <Groups />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const ToGuide = ({ children }: { children: ReactNode }) => (
  <PageLink size="sm" underline="always" to="/docs/$" params={{ _splat: 'operations' }}>
    {children}
  </PageLink>
);

type Group = paths['/api/manage/groups']['get']['responses'][200]['content']['application/json']['groups'][number];

/** Who works, and what waits. */
function Groups() {
  const t = useTranslations('instance');
  const format = useFormatter();
  const isNarrow = useIsNarrow();
  // On a phone a row is a card. One line is enough for a group that is well.
  const well = (groups: readonly Group[]) =>
    isNarrow ? groups.filter((group) => stateOf(states.group, group).word === 'well') : [];
  const query = api.useQuery('get', '/api/manage/groups', {}, { refetchInterval: askEvery(10_000) });
  return (
    <Section title={t('groups')}>
      <Loaded query={query} rows={6}>
        {({ groups }) => (
          <>
            {well(groups).length > 0 && (
              <List size="sm" listStyleType="none">
                {well(groups).map(({ group }) => (
                  <List.Item key={group}>
                    {group}: {t('groupStates.well', { minutes: 0 })}
                  </List.Item>
                ))}
              </List>
            )}
            <DataTable
              t={t}
              verticalSpacing={4}
              minWidth={420}
              rows={groups.filter((group) => !well(groups).includes(group))}
              rowKey="group"
              columns={{
                group: ({ group }) => group,
                members: { ta: 'right', cell: ({ members }) => format.number(members) },
                lag: { ta: 'right', cell: ({ lag }) => format.number(lag) },
                state: (group) => (
                  <State
                    words={states.group}
                    of={group}
                    t={(word) => t(`groupStates.${word}`, { minutes: Math.round(group.waitedMs / 60_000) })}
                  />
                ),
              }}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

type Gateway = paths['/api/manage/gateway']['get']['responses'][200]['content']['application/json']['gateway'];

function GatewayFacts({ gateway }: { gateway: Gateway }) {
  const t = useTranslations('instance');
  const format = useFormatter();
  const { people, caller, hashSecret, untrustedProxies } = gateway;
  const addresses = t('addresses', { requests: people.requests, addresses: people.addresses });
  const share = people.requests === 0 ? 0 : (people.mostFrequent?.requests ?? 0) / people.requests;
  // With untrusted proxies, all people behind one have one address, and matching by address finds nothing.
  const isUntrusted = untrustedProxies.length > 0;
  const isOneAddress = people.requests > 100 && share > 0.9;
  const isApart = people.addresses > 1 && share <= 0.5 && !isUntrusted;
  const percent = format.number(share, { style: 'percent' });
  return (
    <Facts
      width="40%"
      of={{
        [t('version')]: gateway.version,
        [t('instance')]: gateway.instance,
        [t('node')]: gateway.node,
        PUBLIC_URL: gateway.publicUrl,
        LINK_DOMAIN: gateway.linkDomain,
        TRUST_PROXY: gateway.trustProxy || '–',
        [t('limits')]: t(`limitsIn.${gateway.limitsIn}`),
        [t('secret')]: hashSecret.guessable ? warned(t('guessable'), t('warn')) : t('random'),
        [t('address')]: caller.address,
        [t('untrusted')]: isUntrusted ? warned(untrustedProxies.join(', '), t('warn')) : t('none'),
        [t('people')]: isOneAddress ? (
          warned(addresses, t('oneAddress', { share: percent }))
        ) : (
          <>
            {addresses}
            {isApart && <Text>{t('apart')}</Text>}
          </>
        ),
      }}
    />
  );
}

const warned = (text: string, warning: string) => (
  <>
    {text} <Badge color="yellow.4">{warning}</Badge>
  </>
);
