// The columns of the list of links. Each person chooses their own.
import { useLocalStorage } from '@mantine/hooks';
import { useMe } from '../../../api/index.ts';

export const COLUMNS = [
  'campaign',
  'tags',
  'clicks',
  'installs',
  'rate',
  'lastTap',
  'made',
  'expires',
  'metadata',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Pixels. Links have what is left. */
export const WIDTHS: Readonly<Record<Column, number>> = {
  campaign: 96,
  tags: 96,
  clicks: 58,
  installs: 76,
  rate: 62,
  lastTap: 128,
  made: 128,
  expires: 96,
  metadata: 180,
};

export const ofFigures = (column: Column): boolean => ['clicks', 'installs', 'rate', 'lastTap'].includes(column);

const USUAL: Column[] = ['campaign', 'tags', 'clicks', 'installs', 'rate', 'lastTap', 'made'];

/** The columns that the person chose in this browser, in the order of the table, and a function that changes them. */
export function useColumns(): [Column[], (columns: Column[]) => void] {
  const { person } = useMe();
  const [chosen, choose] = useLocalStorage<Column[]>({
    key: `landfall-link-columns-${person?.id ?? 'visitor'}`,
    defaultValue: USUAL,
    getInitialValueInEffect: false,
  });
  return [COLUMNS.filter((column) => chosen.includes(column)), choose];
}
