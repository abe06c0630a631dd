import type { Link } from '@landfall/api-client';
import { Badge, Checkbox, Group, Text } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Copy } from '../copy.tsx';
import { DataTable } from '../page/data-table.tsx';
import { PageLink } from '../page/links.tsx';
import { Ago } from '../time.tsx';
import { stateOf } from './queries.ts';

export const COLUMNS = ['destination', 'metadata', 'state', 'created', 'expires'] as const;
export type Column = (typeof COLUMNS)[number];

/** Rows beside the ones in view, for smooth scrolling. The first time they would only delay the page. */
const OVERSCAN = 10;

/** Pixels. All rows have one line. */
const ROW_HEIGHT = 45;

interface LinksTableProps {
  appId: string;
  links: readonly Link[];
  columns: readonly Column[];
  /** The ids of selected links, or null when nothing can be selected. */
  selected: ReadonlySet<string> | null;
  onSelect: (selected: ReadonlySet<string>) => void;
  /** Called when the last rows come into view. */
  onEnd: () => void;
}

interface Shown {
  index: number;
  link: Link;
}

/** The links as a table. Only the rows in view are in the page, so that ten thousand scroll as well as ten. */
export function LinksTable({ appId, links, columns, selected, onSelect, onEnd }: LinksTableProps) {
  const t = useTranslations('links');
  const body = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(body.current?.offsetTop ?? 0), []);
  const [overscan, setOverscan] = useState(0);
  useEffect(() => startTransition(() => setOverscan(OVERSCAN)), []);
  const rows = useWindowVirtualizer({
    count: links.length,
    estimateSize: () => ROW_HEIGHT,
    overscan,
    scrollMargin: above,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  // A page of the API may be empty before the end of the list: a search looks at so many links at a time.
  useEffect(() => {
    if (last >= links.length - 1) onEnd();
  }, [last, links.length, onEnd]);
  const before = (shown[0]?.start ?? above) - above;
  const after = rows.getTotalSize() - ((shown.at(-1)?.end ?? above) - above);
  const width = columns.length + (selected ? 2 : 1);
  const all = links.length > 0 && links.every(({ id }) => selected?.has(id));
  const columnOf = (column: Column) =>
    [`columns.${column}`, { maw: 320, cell: ({ link }: Shown) => <Cell column={column} link={link} /> }] as const;
  return (
    <div ref={body}>
      <DataTable
        t={t}
        highlightOnHover
        minWidth={360 + 140 * columns.length}
        aria-rowcount={links.length + 1}
        rows={shown.map(({ index }): Shown => ({ index, link: links[index]! }))}
        rowKey={({ link }) => link.id}
        rowProps={({ index }) => ({ h: ROW_HEIGHT, 'aria-rowindex': index + 2 })}
        above={<Gap height={before} columns={width} />}
        below={<Gap height={after} columns={width} />}
        columns={{
          select: selected !== null && {
            w: 40,
            heading: (
              <Checkbox
                size="xs"
                aria-label={t('selectAll')}
                checked={all}
                indeterminate={!all && selected.size > 0}
                onChange={() => onSelect(all ? new Set() : new Set(links.map(({ id }) => id)))}
              />
            ),
            cell: ({ link: { id, slug } }) => (
              <Checkbox
                size="xs"
                aria-label={t('select', { slug })}
                checked={selected.has(id)}
                onChange={() => onSelect(toggled(selected, id))}
              />
            ),
          },
          link: ({ link: { id, slug, url } }) => (
            <Group gap={4} wrap="nowrap">
              <PageLink size="sm" to="/apps/$appId/links/$linkId" params={{ appId, linkId: id }}>
                {slug}
              </PageLink>
              <Copy value={url} label={t('copy', { slug })} />
            </Group>
          ),
          ...Object.fromEntries(columns.map(columnOf)),
        }}
      />
    </div>
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

function Cell({ column, link }: { column: Column; link: Link }) {
  const t = useTranslations('links');
  const state = stateOf(link);
  if (column === 'state') return <Badge color={state === 'live' ? 'teal.9' : 'gray.8'}>{t(`states.${state}`)}</Badge>;
  if (column === 'created') return <Ago at={link.createdAt} />;
  if (column === 'expires') return link.expiresAt === null ? t('never') : <Ago at={link.expiresAt} />;
  const text = column === 'destination' ? link.destination : metadataText(link);
  return (
    <Text truncate title={text}>
      {text}
    </Text>
  );
}

const metadataText = ({ metadata }: Link): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
