import { Badge, Button, Group, SegmentedControl, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../../api/apps.ts';
import { api } from '../../../../api/client.ts';
import { Copy } from '../../../../parts/copy.tsx';
import { stateOf } from '../../../../parts/links/link-state.ts';
import { NewLink } from '../../../../parts/links/new-link.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { Loaded } from '../../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../../parts/page/more.tsx';
import { Page } from '../../../../parts/page/page.tsx';
import { useMay } from '../../../../parts/roles.ts';
import { Ago } from '../../../../parts/time.tsx';

const STATES = ['all', 'live', 'expired', 'archived'] as const;
type State = (typeof STATES)[number];

interface Filters {
  state?: State;
  search?: string;
  /** True while the form for a new link is open. */
  create?: true;
}

export const Route = createFileRoute('/_app/apps/$appId/links/')({
  validateSearch: ({ state, search, create }: Record<string, unknown>): Filters => ({
    ...(STATES.includes(state as State) && state !== 'all' && { state: state as State }),
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(create === true && { create }),
  }),
  component: Links,
});

function Links() {
  const t = useTranslations('links');
  const { appId } = Route.useParams();
  const { timeZone } = useApp(appId);
  const mayCreate = useMay(appId, 'member');
  const navigate = Route.useNavigate();
  const { state = 'all', search, create = false } = Route.useSearch();
  const setFilters = (filters: Filters) =>
    void navigate({ search: (before) => ({ ...before, ...filters }), replace: true });
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/apps/{appId}/links',
    { params: { path: { appId }, query: { limit: 50, state, search } } },
    cursorPages,
  );
  const setCreate = (open: boolean) =>
    void navigate({ search: (before) => ({ ...before, create: open || undefined }) });
  return (
    <Page
      title={t('title')}
      actions={
        mayCreate && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreate(true)}>
            {t('create')}
          </Button>
        )
      }
    >
      <NewLink appId={appId} opened={create && mayCreate} onClose={() => setCreate(false)} />
      <Group>
        <SearchField initial={search ?? ''} onSearch={(text) => setFilters({ search: text || undefined })} />
        <SegmentedControl
          aria-label={t('state')}
          data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state}
          onChange={(value) => setFilters({ state: value as State })}
        />
      </Group>
      <Loaded query={query} rows={10}>
        {({ pages }) => {
          const links = pages.flatMap((page) => page.links);
          if (links.length === 0 && !query.hasNextPage)
            return <Text>{search || state !== 'all' ? t('noMatch') : t('empty')}</Text>;
          return (
            <Table.ScrollContainer minWidth={640}>
              <Table highlightOnHover verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('link')}</Table.Th>
                    <Table.Th>{t('destination')}</Table.Th>
                    <Table.Th>{t('state')}</Table.Th>
                    <Table.Th>{t('created')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {links.map((link) => (
                    <Table.Tr key={link.id}>
                      <Table.Td>
                        <Group gap={4} wrap="nowrap">
                          <PageLink size="sm" to="/apps/$appId/links/$linkId" params={{ appId, linkId: link.id }}>
                            {link.slug}
                          </PageLink>
                          <Copy value={link.url} label={t('copy', { slug: link.slug })} />
                        </Group>
                      </Table.Td>
                      <Table.Td maw={320}>
                        <Text size="sm" truncate title={link.destination}>
                          {link.destination}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Badge color={stateOf(link) === 'live' ? 'teal.9' : 'gray.8'}>
                          {t(`states.${stateOf(link)}`)}
                        </Badge>
                      </Table.Td>
                      <Table.Td>
                        <Ago at={link.createdAt} timeZone={timeZone} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Loaded>
      <More query={query} />
    </Page>
  );
}

/** Asks when the person pauses, not at each letter. */
function SearchField({ initial, onSearch }: { initial: string; onSearch: (text: string) => void }) {
  const t = useTranslations('links');
  const [text, setText] = useState(initial);
  const search = useDebouncedCallback(onSearch, 300);
  return (
    <TextInput
      id="search"
      type="search"
      aria-label={t('search')}
      placeholder={t('searchHint')}
      leftSection={<Search size={16} aria-hidden />}
      flex={1}
      miw={220}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
