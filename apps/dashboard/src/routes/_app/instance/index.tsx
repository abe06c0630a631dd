import type { paths } from '@landfall/api-client';
import { Badge, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { api, askEvery } from '../../../api/index.ts';
import { Health } from '../../../parts/health.tsx';
import { DataTable, Facts } from '../../../parts/page/data-table.tsx';
import { Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { State } from '../../../parts/states/state.tsx';
import { states } from '../../../parts/states/states.ts';

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
              <Text>{t('more')}</Text>
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

/** Who works, and what waits. */
function Groups() {
  const t = useTranslations('instance');
  const format = useFormatter();
  const query = api.useQuery('get', '/api/manage/groups', {}, { refetchInterval: askEvery(10_000) });
  return (
    <Section title={t('groups')}>
      <Loaded query={query} rows={6}>
        {({ groups }) => (
          <DataTable
            t={t}
            verticalSpacing={4}
            minWidth={420}
            rows={groups}
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
        [t('people')]: isOneAddress ? warned(addresses, t('oneAddress', { share: percent })) : addresses,
      }}
    />
  );
}

const warned = (text: string, warning: string) => (
  <>
    {text} <Badge color="yellow.4">{warning}</Badge>
  </>
);
