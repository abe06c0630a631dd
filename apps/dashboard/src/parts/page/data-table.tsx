import { Table, type TableProps, type TableTdProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Row> extends Pick<TableTdProps, 'ta' | 'w' | 'maw' | 'ff' | 'style'> {
  /** In a table that says enough without, no column has one. */
  heading?: string;
  cell: (row: Row) => ReactNode;
}

/** A column that is false is left out. */
export type Columns<Row> = readonly (Column<Row> | false)[];

type Options =
  | 'aria-label'
  | 'highlightOnHover'
  | 'horizontalSpacing'
  | 'mah'
  | 'stickyHeader'
  | 'style'
  | 'verticalSpacing';

export interface DataTableProps<Row> extends Pick<TableProps, Options> {
  rows: readonly Row[];
  /** The field that identifies a row, or a function that returns what does. */
  rowKey: keyof Row | ((row: Row) => string);
  columns: Columns<Row>;
  /** Pixels. In a narrower place the table scrolls sideways. Default: it does not. */
  minWidth?: number;
  /** The text instead of a table without rows. Default: the table, with its headings alone. */
  empty?: string;
}

/** A table. */
export function DataTable<Row>({ rows, rowKey, columns, minWidth, mah, empty, ...rest }: DataTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <Text>{empty}</Text>;
  const shown = columns.filter((column) => column !== false);
  const table = (
    <Table verticalSpacing="xs" {...rest}>
      {shown.some(({ heading }) => heading !== undefined) && (
        <Table.Thead>
          <Table.Tr>
            {shown.map(({ heading, cell, ...style }, index) => (
              <Table.Th key={index} {...style}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
      )}
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={typeof rowKey === 'function' ? rowKey(row) : String(row[rowKey])}>
            {shown.map(({ heading, cell, ...style }, index) => (
              <Table.Td key={index} {...style}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer minWidth={minWidth} mah={mah}>
      {table}
    </Table.ScrollContainer>
  );
}

export interface FactsProps {
  /** Each value under its name. */
  of: Readonly<Record<string, ReactNode>>;
  /** The width of the names. */
  width?: number | string;
  maw?: number;
}

/** Facts about one thing, each in a row. */
export function Facts({ of, width = 160, maw }: FactsProps) {
  return (
    <Table variant="vertical" layout="fixed" maw={maw} style={{ overflowWrap: 'anywhere' }}>
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
