import { Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks';
import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Columns3, Plus, Search, Upload } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, useMay } from '../../../../api/index.ts';
import { BulkArchive } from '../../../../parts/links/bulk-archive.tsx';
import { COLUMNS, type Column, LinksTable } from '../../../../parts/links/links-table.tsx';
import { LINKS, linksOf, prefetchLinks } from '../../../../parts/links/queries.ts';
import { CsvButton, PageButton } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';

const STATES = ['all', 'live', 'expired', 'archived'] as const;
type State = (typeof STATES)[number];

interface Filters {
  state?: State;
  search?: string;
  /** The form that is open. */
  create?: true;
  import?: true;
}

export const Route = createFileRoute('/_app/apps/$appId/links/')({
  validateSearch: ({ state, search, create, import: imports }: Record<string, unknown>): Filters => ({
    ...(STATES.includes(state as State) && state !== 'all' && { state: state as State }),
    // An address that somebody typed may have a number here.
    ...(['string', 'number'].includes(typeof search) && search !== '' && { search: `${search}` }),
    ...(create === true && { create }),
    ...(imports === true && { import: imports }),
  }),
  // The form of a new link was part of this page once.
  beforeLoad({ params, search: { create } }) {
    if (create) throw redirect({ to: '/apps/$appId/links/new', params, replace: true });
  },
  loaderDeps: ({ search: { state = 'all', search } }) => ({ state, search }),
  loader: ({ context: { queries }, params: { appId }, deps }) => prefetchLinks(queries, appId, deps),
  component: Links,
});

// The form is loaded when it is opened.
const ViewsMenu = lazyRouteComponent(() => import('../../../../parts/views/views-menu.tsx'), 'ViewsMenu');
const ImportLinks = lazyRouteComponent(() => import('../../../../parts/links/import/import-links.tsx'), 'ImportLinks');

const NONE: ReadonlySet<string> = new Set();

function Links() {
  const t = useTranslations('links');
  const { appId } = Route.useParams();
  const mayCreate = useMay('member');
  const navigate = Route.useNavigate();
  const { state = 'all', search, import: imports = false } = Route.useSearch();
  const [columns, setColumns] = useLocalStorage<Column[]>({
    key: 'landfall-link-columns',
    defaultValue: ['destination', 'state', 'created'],
    getInitialValueInEffect: false,
  });
  const [selected, select] = useState(NONE);
  const change = (filters: Filters, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...filters }), replace });
  const query = api.useInfiniteQuery('get', LINKS, linksOf(appId, { state, search }), cursorPages);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const csv = `/api/manage/apps/${appId}/links/export?${new URLSearchParams({ state, ...(search && { search }) })}`;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Suspense>
            <ViewsMenu page="links" />
          </Suspense>
          <CsvButton href={csv} />
          {mayCreate && (
            <>
              <Button
                variant="default"
                leftSection={<Upload size={16} aria-hidden />}
                onClick={() => change({ import: true }, false)}
              >
                {t('import')}
              </Button>
              <PageButton leftSection={<Plus size={16} aria-hidden />} to="/apps/$appId/links/new" params={{ appId }}>
                {t('create')}
              </PageButton>
            </>
          )}
        </>
      }
    >
      <Suspense>{imports && mayCreate && <ImportLinks onClose={() => change({ import: undefined })} />}</Suspense>
      <Group>
        <SearchField initial={search ?? ''} onSearch={(text) => change({ search: text || undefined })} />
        <SegmentedControl
          aria-label={t('state')}
          data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state}
          onChange={(value) => change({ state: value as State })}
        />
        <ColumnChoice columns={columns} onChange={setColumns} />
      </Group>
      <BulkArchive selected={[...selected]} onDone={() => select(NONE)} />
      <Loaded query={query} rows={10}>
        {({ links }) => {
          if (links.length === 0 && !hasNextPage)
            return <Text size="md">{search || state !== 'all' ? t('noMatch') : t('empty')}</Text>;
          return (
            <LinksTable
              appId={appId}
              links={links}
              columns={COLUMNS.filter((column) => columns.includes(column))}
              selected={mayCreate ? selected : null}
              onSelect={select}
              onEnd={onEnd}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}

function ColumnChoice({ columns, onChange }: { columns: Column[]; onChange: (columns: Column[]) => void }) {
  const t = useTranslations('links');
  return (
    <Popover withinPortal trapFocus position="bottom-end">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          {t('columnChoice')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group label={t('columnChoice')} value={columns} onChange={(value) => onChange(value as Column[])}>
          <Stack gap="xs" mt="xs">
            {COLUMNS.map((value) => (
              <Checkbox key={value} value={value} label={t(`columns.${value}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
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
