import { linkNameOf } from '@landfall/api-client/link-name';
import { splitUtm } from '@landfall/api-client/utm';
import { Checkbox, Group, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Copy } from '../../copy.tsx';
import { Ago } from '../../time.tsx';
import { Campaign, FigureOf, LinkCell, Made, metadataText, type OnFilter, Tags } from './cells.tsx';
import { type Column, ofFigures, WIDTHS } from './columns.ts';
import classes from './list.module.css';
import { RowMenu } from './row-menu.tsx';
import type { ListedLink, Sort, View } from './view.ts';

/** Rows beside the ones in view, for smooth scrolling. The first time they would only delay the page. */
const OVERSCAN = 10;

/** Pixels. No row is higher: where the list is scrolled to is computed from it. */
const ROW_HEIGHT = 66;
/** Of the links. */
const LEAST_WIDTH = 260;
const CHECK_WIDTH = 34;
const MENU_WIDTH = 70;
/** Each may fill a line. */
const MOST_TAGS = 2;

export interface ListProps {
  appId: string;
  links: readonly ListedLink[];
  columns: readonly Column[];
  view: View;
  /** The selected links by their ids, or null when nothing can be selected. */
  selected: ReadonlyMap<string, ListedLink> | null;
  onSelect: (selected: ReadonlyMap<string, ListedLink>) => void;
  onSort: (sort: Sort) => void;
  onFilter: OnFilter;
  /** Called when the last rows come into view. */
  onEnd: () => void;
}

/**
 * Returns the rows in view, so that ten thousand scroll as well as ten.
 * @param height of a row, in pixels. Rows of other heights have `measure` as their ref.
 */
export function useRowsInView({ links, onEnd }: Pick<ListProps, 'links' | 'onEnd'>, height: number) {
  const body = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(body.current?.offsetTop ?? 0), []);
  const [overscan, setOverscan] = useState(0);
  useEffect(() => startTransition(() => setOverscan(OVERSCAN)), []);
  const rows = useWindowVirtualizer({
    count: links.length,
    estimateSize: () => height,
    getItemKey: useCallback((index: number) => links[index]!.id, [links]),
    overscan,
    scrollMargin: above,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  // A page of the API may be empty before the end of the list: a search looks at so many links at a time.
  useEffect(() => {
    if (last >= links.length - 1) onEnd();
  }, [last, links.length, onEnd]);
  return {
    body,
    shown: shown.map(({ index }) => ({ index, link: links[index]! })),
    measure: rows.measureElement,
    before: (shown[0]?.start ?? above) - above,
    after: rows.getTotalSize() - ((shown.at(-1)?.end ?? above) - above),
  };
}

/** Columns that take no room while no loaded link has anything in them. */
const mayBeEmpty: Partial<Record<Column, (links: readonly ListedLink[]) => boolean>> = {
  campaign: (links) => links.every(({ destination }) => splitUtm(destination).utm.utm_campaign === ''),
  tags: (links) => links.every(({ tags }) => tags.length === 0),
};

/** The links as a table, for wide windows. */
export function LinksTable(props: ListProps) {
  const { appId, links, view, selected, onSelect, onSort, onFilter } = props;
  const t = useTranslations('links');
  // The table is drawn anew while somebody scrolls, and a list may have thousands of links.
  const columns = useMemo(
    () => props.columns.filter((column) => mayBeEmpty[column]?.(links) !== true),
    [props.columns, links],
  );
  const { body, shown, before, after } = useRowsInView(props, ROW_HEIGHT);
  const width = columns.length + (selected ? 3 : 2);
  const least = columns.reduce((sum, column) => sum + WIDTHS[column], CHECK_WIDTH + LEAST_WIDTH + MENU_WIDTH);
  return (
    <div ref={body}>
      <Table.ScrollContainer minWidth={least} type="native">
        <Table
          layout="fixed"
          highlightOnHover
          verticalSpacing={4}
          horizontalSpacing={8}
          aria-rowcount={links.length + 1}
          aria-label={t('title')}
        >
          <Table.Thead>
            <Table.Tr>
              {selected !== null && (
                <Table.Th w={CHECK_WIDTH}>
                  <SelectLoaded links={links} selected={selected} onSelect={onSelect} />
                </Table.Th>
              )}
              <Table.Th>{t('link')}</Table.Th>
              {columns.map((column) => (
                <Heading key={column} column={column} sort={view.sort ?? 'created'} onSort={onSort} />
              ))}
              {/* Else the hidden text would make the page as wide as the whole table. */}
              <Table.Th w={MENU_WIDTH} pos="relative">
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Gap height={before} columns={width} />
            {shown.map(({ index, link }) => (
              <Table.Tr key={link.id} h={ROW_HEIGHT} aria-rowindex={index + 2}>
                {selected !== null && (
                  <Table.Td>
                    <SelectOne link={link} selected={selected} onSelect={onSelect} />
                  </Table.Td>
                )}
                <Table.Td>
                  <LinkCell appId={appId} link={link} />
                </Table.Td>
                {columns.map((column) => (
                  <Table.Td key={column} ta={isNumber(column) ? 'right' : undefined}>
                    <Cell column={column} link={link} onFilter={onFilter} />
                  </Table.Td>
                ))}
                <Table.Td>
                  <Group gap={0} wrap="nowrap" justify="flex-end">
                    <Copy value={link.url} label={t('copy', { slug: link.slug })} />
                    <RowMenu appId={appId} link={link} />
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
            <Gap height={after} columns={width} />
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

const isNumber = (column: Column): boolean => column === 'clicks' || column === 'installs' || column === 'rate';

const SORT_OF: Partial<Record<Column, Sort>> = {
  clicks: 'clicks',
  installs: 'installs',
  rate: 'rate',
  made: 'created',
};

function Heading({ column, sort, onSort }: { column: Column; sort: Sort; onSort: (sort: Sort) => void }) {
  const t = useTranslations('links');
  const by = SORT_OF[column];
  const name = t(`columns.${column}`);
  return (
    <Table.Th
      w={WIDTHS[column]}
      ta={isNumber(column) ? 'right' : undefined}
      {...(by && { 'aria-sort': by === sort ? ('descending' as const) : ('none' as const) })}
    >
      {by === undefined ? (
        name
      ) : (
        <UnstyledButton
          className={classes.sort!}
          fz="inherit"
          fw="inherit"
          title={t(`sortBy.${by}`)}
          onClick={() => onSort(by)}
        >
          {name}
          {by === sort && <ArrowDown size={14} aria-hidden />}
        </UnstyledButton>
      )}
    </Table.Th>
  );
}

interface SelectProps {
  selected: ReadonlyMap<string, ListedLink>;
  onSelect: (selected: ReadonlyMap<string, ListedLink>) => void;
}

export function SelectLoaded({
  links,
  selected,
  onSelect,
  label,
}: SelectProps & { links: readonly ListedLink[]; label?: string }) {
  const t = useTranslations('links');
  const all = links.length > 0 && links.every(({ id }) => selected.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label={t('selectAll')}
      label={label}
      checked={all}
      indeterminate={!all && selected.size > 0}
      onChange={() => onSelect(all ? new Map() : new Map(links.map((link) => [link.id, link])))}
    />
  );
}

export function SelectOne({ link, selected, onSelect }: SelectProps & { link: ListedLink }) {
  const t = useTranslations('links');
  function toggle() {
    const next = new Map(selected);
    if (!next.delete(link.id)) next.set(link.id, link);
    onSelect(next);
  }
  return (
    <Checkbox
      size="xs"
      aria-label={t('select', { slug: linkNameOf(link) })}
      checked={selected.has(link.id)}
      onChange={toggle}
    />
  );
}

/** Stands for the rows that are out of view. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

function Cell({ column, link, onFilter }: { column: Column; link: ListedLink; onFilter: OnFilter }) {
  const t = useTranslations('links');
  if (ofFigures(column)) return <FigureOf link={link} column={column} />;
  if (column === 'campaign') return <Campaign destination={link.destination} onFilter={onFilter} />;
  if (column === 'tags') return <Tags tags={link.tags} most={MOST_TAGS} onFilter={onFilter} />;
  if (column === 'made') return <Made link={link} />;
  if (column === 'expires') return link.expiresAt === null ? t('never') : <Ago at={link.expiresAt} />;
  const text = metadataText(link);
  return (
    <Text className={classes.line!} title={text}>
      {text}
    </Text>
  );
}
