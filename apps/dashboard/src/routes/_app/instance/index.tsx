import { Badge, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { askEvery } from '../../../api/queries.ts';
import { Health } from '../../../parts/health.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { Section } from '../../../parts/page/section.tsx';

export const Route = createFileRoute('/_app/instance/')({ component: Instance });

function Instance() {
  const t = useTranslations('instance');
  const query = useQuery(api.queryOptions('get', '/api/manage/gateway', {}, { refetchInterval: askEvery(10_000) }));
  return (
    <Page title={t('title')}>
      <Loaded query={query} rows={12}>
        {({ gateway }) => (
          <>
            <Section title={t('health')}>
              <Health publicUrl={gateway.publicUrl} />
              <Text size="sm">{t('more')}</Text>
            </Section>
            <Section title={t('gateway')}>
              <Facts gateway={gateway} />
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
  const query = useQuery(api.queryOptions('get', '/api/manage/groups', {}, { refetchInterval: askEvery(10_000) }));
  return (
    <Section title={t('groups')}>
      <Loaded query={query} rows={6}>
        {({ groups }) => (
          <DataTable
            verticalSpacing={4}
            minWidth={420}
            rows={groups}
            rowKey="group"
            columns={[
              { heading: t('group'), cell: ({ group }) => group },
              { heading: t('members'), ta: 'right', cell: ({ members }) => format.number(members) },
              { heading: t('lag'), ta: 'right', cell: ({ lag }) => format.number(lag) },
              {
                heading: t('state'),
                cell({ members, waitedMs }) {
                  if (members === 0) return <Badge color="red.9">{t('nobody')}</Badge>;
                  if (waitedMs === 0) return <Badge color="teal.9">{t('well')}</Badge>;
                  return <Badge color="yellow.4">{t('behind', { minutes: Math.round(waitedMs / 60_000) })}</Badge>;
                },
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface Gateway {
  instance: string;
  version: string;
  node: string;
  publicUrl: string;
  linkDomain: string;
  trustProxy: string;
  limitsIn: 'memory' | 'redis';
  hashSecret: { guessable: boolean };
  caller: { address: string; trusted: boolean; forwardedFor: string | null };
  untrustedProxies: string[];
  people: {
    requests: number;
    addresses: number;
    mostFrequent: { requests: number; address: string | null } | null;
  };
}

function Facts({ gateway }: { gateway: Gateway }) {
  const t = useTranslations('instance');
  const format = useFormatter();
  const { people, caller, untrustedProxies } = gateway;
  const share = people.requests === 0 ? 0 : (people.mostFrequent?.requests ?? 0) / people.requests;
  const rows: [string, string, string | false][] = [
    [t('version'), gateway.version, false],
    [t('instance'), gateway.instance, false],
    [t('node'), gateway.node, false],
    ['PUBLIC_URL', gateway.publicUrl, false],
    ['LINK_DOMAIN', gateway.linkDomain, false],
    ['TRUST_PROXY', gateway.trustProxy || '–', false],
    [t('limits'), t(`limitsIn.${gateway.limitsIn}`), false],
    [t('secret'), t(gateway.hashSecret.guessable ? 'guessable' : 'random'), gateway.hashSecret.guessable && t('warn')],
    [t('address'), caller.address, false],
    [
      t('untrusted'),
      untrustedProxies.join(', ') || t('none'),
      // Then all people behind the proxy have one address, and matching by address finds nothing.
      untrustedProxies.length > 0 && t('warn'),
    ],
    [
      t('people'),
      t('addresses', { requests: people.requests, addresses: people.addresses }),
      people.requests > 100 && share > 0.9 && t('oneAddress', { share: format.number(share, { style: 'percent' }) }),
    ],
  ];
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value, warning]) => (
          <Table.Tr key={name}>
            <Table.Th w="40%">{name}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {value} {warning && <Badge color="yellow.4">{warning}</Badge>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
