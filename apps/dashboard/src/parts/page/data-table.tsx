import { Table, type TableProps, type TableTdProps, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Words } from '../forms/form.tsx';
import classes from './data-table.module.css';

type Cell<Row> = (row: Row) => ReactNode;

interface StyledColumn<Row> extends Pick<TableTdProps, 'ta' | 'w' | 'maw' | 'ff' | 'style'> {
  /** Stands in the place of the word that is named like the column. */
  heading?: ReactNode;
  /** In a card it needs no name: its values say what they are. */
  plain?: boolean;
  /** In a dense card it stands at the end of the line of the heading. */
  beside?: boolean;
  cell: Cell<Row>;
}

/** The cells of a column, alone or with their style. A column that is false is left out. */
export type Column<Row> = Cell<Row> | StyledColumn<Row> | false;

type Options =
  | 'aria-label'
  | 'highlightOnHover'
  | 'horizontalSpacing'
  | 'mah'
  | 'stickyHeader'
  | 'style'
  | 'verticalSpacing';

interface DataTableProps<Row, Name extends string> extends Pick<TableProps, Options> {
  rows: readonly Row[];
  /** The field that identifies a row, or a function that returns what does. Default: `id`. */
  rowKey?: keyof Row | ((row: Row) => string);
  /** The words of the headings. In a table that says enough without them there are none. */
  t?: Words<Name>;
  /** The columns, by the names of their headings. */
  columns: { readonly [name in Name]?: Column<Row> };
  /** Pixels. In a narrower place the table scrolls sideways, and on a phone its rows are cards. Default: it does neither. */
  minWidth?: number;
  /** The text instead of a table without rows. Default: the table, with its headings alone. */
  empty?: string | undefined;
  /** The values of a card have one line each, with the name before the value. An empty cell of the table has a dash. */
  dense?: boolean;
}

export function DataTable<Row, Name extends string>(props: DataTableProps<Row, Name>) {
  const { rows, rowKey = 'id' as keyof Row, t, columns, minWidth, mah, empty, dense = false, ...rest } = props;
  if (rows.length === 0 && empty !== undefined) return <Text size="md">{empty}</Text>;
  const cards = minWidth !== undefined && t !== undefined;
  const shown = (Object.entries(columns) as [Name, Column<Row>][]).flatMap(([name, column]) => {
    if (column === false) return [];
    const { heading, plain, beside, cell, ...style }: StyledColumn<Row> =
      typeof column === 'function' ? { cell: column } : column;
    return [
      {
        name,
        heading: heading ?? t?.(name),
        acts: heading !== undefined,
        plain,
        beside,
        cell,
        style: cards ? placed(style) : style,
      },
    ];
  });
  // A part of a table that is shown as a block loses its role, unless it is named.
  const role = (name: string) => (cards ? { role: name } : {});
  const table = (
    <Table
      verticalSpacing="xs"
      {...(cards && { className: classes.cards!, 'data-dense': dense || undefined })}
      {...role('table')}
      {...rest}
    >
      {t && (
        <Table.Thead {...role('rowgroup')}>
          <Table.Tr {...role('row')}>
            {shown.map(({ name, heading, acts, style }) => (
              <Table.Th key={name} {...role('columnheader')} {...(acts && { 'data-acts': true })} {...style}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
      )}
      <Table.Tbody {...role('rowgroup')}>
        {rows.map((row) => (
          <Table.Tr key={typeof rowKey === 'function' ? rowKey(row) : String(row[rowKey])} {...role('row')}>
            {shown.map(({ name, acts, plain, beside, cell, style }, place) => (
              <Table.Td
                key={name}
                {...role('cell')}
                {...(cards && inCard(name, acts || plain ? '' : t(name), place))}
                {...(beside && { 'data-beside': true })}
                {...style}
              >
                {/* The value stands beside its name as one part, however many texts it has. */}
                {cards ? <div>{cell(row)}</div> : cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      mah={mah}
      {...(cards && { classNames: { scrollContainerInner: classes.inner! } })}
    >
      {table}
    </Table.ScrollContainer>
  );
}

const inPixels = (length: unknown) => (typeof length === 'number' ? `${length}px` : length);

/** The style of a column, its place as variables. */
function placed<Row>({ ta, w, maw, style, ...rest }: Omit<StyledColumn<Row>, 'heading' | 'cell'>) {
  const place = { '--column-align': ta, '--column-width': inPixels(w), '--column-most': inPixels(maw) };
  return { ...rest, style: { ...(style as CSSProperties), ...place } as CSSProperties };
}

/** How a cell stands in a card: as its heading, with its name, or alone. Actions need no name. */
function inCard(column: string, name: string, place: number) {
  if (place === 0) return { 'data-first': true };
  if (column === 'actions') return { 'data-actions': true };
  return name === '' ? {} : { 'data-name': name };
}

interface FactsProps {
  /** Each value under its name. */
  of: Readonly<Record<string, ReactNode>>;
  /** The width of the names. */
  width?: number | string;
  maw?: number;
  verticalSpacing?: number;
}

export function Facts({ of, width = 160, maw, verticalSpacing }: FactsProps) {
  return (
    <Table
      variant="vertical"
      layout="fixed"
      maw={maw}
      {...(verticalSpacing !== undefined && { verticalSpacing })}
      style={{ overflowWrap: 'anywhere' }}
    >
      <Table.Tbody>
        {Object.entries(of).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={width}>{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
