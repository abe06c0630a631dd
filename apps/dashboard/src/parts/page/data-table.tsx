import { Table, type TableProps, type TableTdProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The size and look of a button in a row. Rows have buttons with the same text, so each also needs an `aria-label`. */
export const rowButton = { size: 'compact-sm', variant: 'default' } as const;

export interface Column<Row> extends Pick<TableTdProps, 'ta' | 'w' | 'maw' | 'style'> {
  heading: string;
  cell: (row: Row) => ReactNode;
}

/** A column that is false is left out. */
export type Columns<Row> = readonly (Column<Row> | false)[];

type Options = 'aria-label' | 'highlightOnHover' | 'horizontalSpacing' | 'mah' | 'stickyHeader' | 'verticalSpacing';

export interface DataTableProps<Row> extends Pick<TableProps, Options> {
  rows: readonly Row[];
  /** The field that identifies a row, or a function that returns what does. */
  rowKey: keyof Row | ((row: Row) => string);
  columns: Columns<Row>;
  /** Pixels. In a narrower place the table scrolls sideways. */
  minWidth: number;
  /** The text instead of a table without rows. Default: the table, with its headings alone. */
  empty?: string;
}

/** A table with a heading above each column. */
export function DataTable<Row>({ rows, rowKey, columns, minWidth, mah, empty, ...rest }: DataTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <Text>{empty}</Text>;
  const shown = columns.filter((column) => column !== false);
  return (
    <Table.ScrollContainer minWidth={minWidth} mah={mah}>
      <Table verticalSpacing="xs" {...rest}>
        <Table.Thead>
          <Table.Tr>
            {shown.map(({ heading, cell, ...style }, index) => (
              <Table.Th key={index} {...style}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
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
    </Table.ScrollContainer>
  );
}
