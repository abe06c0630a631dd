import { Alert, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, hasCode, useMay } from '../../../../api/index.ts';
import type { Selection } from '../../../../parts/links/bulk/selection.ts';
import { SelectionBar } from '../../../../parts/links/bulk/selection-bar.tsx';
import { useColumns } from '../../../../parts/links/list/columns.ts';
import { Filters } from '../../../../parts/links/list/filters.tsx';
import { LinkCards } from '../../../../parts/links/list/link-cards.tsx';
import { LinksTable } from '../../../../parts/links/list/links-table.tsx';
import {
  filterOf,
  isFiltered,
  LINKS,
  type ListedLink,
  type Sort,
  type Total,
  type View,
  viewOf,
} from '../../../../parts/links/list/view.ts';
import { NewLinkButton } from '../../../../parts/links/new-link-button.tsx';
import { linksOf, prefetchLinks } from '../../../../parts/links/queries.ts';
import { CsvButton } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { RowMenu } from '../../../../parts/page/row-menu.tsx';
import { useView } from '../../../../parts/views/address.ts';
import { useIsNarrow } from '../../../../parts/views/filters-button.tsx';

interface Search extends View {
  /** The form that is open. */
  create?: true;
  import?: true;
}

export const Route = createFileRoute('/_app/apps/$appId/links/')({
  validateSearch: ({ create, import: imports, ...view }: Record<string, unknown>): Search => ({
    ...viewOf(view),
    ...(create === true && { create }),
    ...(imports === true && { import: imports }),
  }),
  // The form of a new link was part of this page once.
  beforeLoad({ params, search: { create } }) {
    if (create) throw redirect({ to: '/apps/$appId/links/new', params, replace: true });
  },
  loaderDeps: ({ search }) => viewOf({ ...search }),
  loader: ({ context: { queries }, params: { appId }, deps }) => prefetchLinks(queries, appId, deps),
  component: Links,
});

// The form is loaded when it is opened.
const ViewsMenu = lazyRouteComponent(() => import('../../../../parts/views/views-menu.tsx'), 'ViewsMenu');
const ImportLinks = lazyRouteComponent(() => import('../../../../parts/links/import/import-links.tsx'), 'ImportLinks');

const NONE: Selection = { links: new Map() };

type Changed = { [K in keyof Search]?: Search[K] | undefined };

function Links() {
  const t = useTranslations('links');
  const words = useTranslations('window');
  const { appId } = Route.useParams();
  const mayCreate = useMay('member');
  const navigate = Route.useNavigate();
  const view = useView(Route, viewOf);
  const { import: isImporting } = Route.useSearch();
  const [columns, setColumns] = useColumns();
  const [selection, select] = useState(NONE);
  const [cleared, setCleared] = useState(0);
  const isNarrow = useIsNarrow();
  const change = (changed: Changed, replace = true) => {
    // What is selected is always in the list.
    if (!('import' in changed)) select(NONE);
    void navigate({ search: (before) => ({ ...before, ...changed }) as Search, replace, resetScroll: false });
  };
  const query = api.useInfiniteQuery('get', LINKS, linksOf(appId, view), cursorPages);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = query.data?.pages[0]?.total ?? null;
  const List = isNarrow ? LinkCards : LinksTable;
  const clear = () => {
    change({
      state: undefined,
      search: undefined,
      tag: undefined,
      campaign: undefined,
      origin: undefined,
      createdBy: undefined,
    });
    setCleared(cleared + 1);
  };
  const onImport = () => change({ import: true }, false);
  const csv = `/api/manage/apps/${appId}/links/export?${new URLSearchParams({ ...view })}`;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {mayCreate && isNarrow && <NewLinkButton />}
          <Suspense fallback={<Skeleton w={98} h={36} />}>
            <ViewsMenu page="links" />
          </Suspense>
          {isNarrow ? (
            <RowMenu
              variant="default"
              size={36}
              label={t('moreActions')}
              actions={[
                { text: words('csv'), onClick: () => window.location.assign(csv) },
                ...(mayCreate ? [{ text: t('import'), onClick: onImport }] : []),
              ]}
            />
          ) : (
            <CsvButton href={csv} />
          )}
          {mayCreate && !isNarrow && (
            <>
              <ImportButton onClick={onImport} />
              <NewLinkButton />
            </>
          )}
        </>
      }
    >
      <Suspense>
        {isImporting === true && mayCreate && <ImportLinks onClose={() => change({ import: undefined })} />}
      </Suspense>
      <Filters
        key={cleared}
        view={view}
        onChange={change}
        isNarrow={isNarrow}
        columns={columns}
        onColumns={setColumns}
      />
      {mayCreate && (
        <SelectionBar
          selection={selection}
          range={view.range ?? '30d'}
          all={moreThan(selection, total)}
          onAll={() => select({ filter: filterOf(view), range: view.range ?? '30d', total: total! })}
          onNone={() => select(NONE)}
        />
      )}
      {hasCode(query.error, 'NARROW_FILTER') ? (
        <Alert title={t('tooManyToSort')}>
          <Button size="compact-sm" variant="default" onClick={() => change({ sort: undefined })}>
            {t('sortBy.created')}
          </Button>
        </Alert>
      ) : (
        <Loaded query={query} rows={10}>
          {({ links, figures }) => {
            if (links.length === 0 && !hasNextPage)
              return isFiltered(view) ? (
                <NoMatch searched={view.search !== undefined} onClear={clear} />
              ) : (
                <NoLinks mayCreate={mayCreate} onImport={onImport} />
              );
            return (
              <>
                <Group justify="space-between" gap="xs">
                  <Text role="status">{total && t(total.exact ? 'total' : 'totalOver', { count: total.count })}</Text>
                  {figures === 'unavailable' && <Text role="status">{t('noFigures')}</Text>}
                </Group>
                <List
                  appId={appId}
                  links={links}
                  columns={columns}
                  view={view}
                  selected={mayCreate ? selectedOf(selection, links) : null}
                  onSelect={(chosen) => select({ links: chosen })}
                  onSort={(sort: Sort) => change({ sort: sort === 'created' ? undefined : sort })}
                  onFilter={(filter) => change(filter, false)}
                  onEnd={onEnd}
                />
              </>
            );
          }}
        </Loaded>
      )}
    </Page>
  );
}

/** Of all that match, the loaded ones are shown as selected. */
const selectedOf = (selection: Selection, links: readonly ListedLink[]): ReadonlyMap<string, ListedLink> =>
  'links' in selection ? selection.links : new Map(links.map((link) => [link.id, link]));

/** Returns the total when more links match than are selected, and all that are loaded may be. */
function moreThan(selection: Selection, total: Total | null): Total | null {
  if (!('links' in selection) || total === null || selection.links.size === 0) return null;
  return total.count > selection.links.size || !total.exact ? total : null;
}

function ImportButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('links');
  return (
    <Button variant="default" leftSection={<Upload size={16} aria-hidden />} onClick={onClick}>
      {t('import')}
    </Button>
  );
}

function NoLinks({ mayCreate, onImport }: { mayCreate: boolean; onImport: () => void }) {
  const t = useTranslations('links');
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm">
        <Text size="md" fw={600}>
          {t('empty')}
        </Text>
        <Text ta="center">{t('emptyHelp')}</Text>
        {mayCreate && (
          <Group gap="xs">
            <NewLinkButton />
            <ImportButton onClick={onImport} />
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function NoMatch({ searched, onClear }: { searched: boolean; onClear: () => void }) {
  const t = useTranslations('links');
  return (
    <Stack align="flex-start" gap="xs">
      <Text size="md">{t('noMatch')}</Text>
      {searched && <Text>{t('noMatchSearch')}</Text>}
      <Button variant="default" onClick={onClear}>
        {t('clear')}
      </Button>
    </Stack>
  );
}
