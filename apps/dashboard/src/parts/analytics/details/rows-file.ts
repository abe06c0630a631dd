// The rows of a figure as a file.
import type { paths } from '@landfall/api-client';
import { csvCell, MARK } from '@landfall/api-client/csv';
import { client } from '../../../api/index.ts';
import type { CountedEvent, ROWS } from '../rows-table.tsx';

/** Each page of rows is a question to analytics. A file has those that people read. */
export const MOST_ROWS = 2_000;
const PAGE = 100;

const COLUMNS = [
  'at',
  'link',
  'country',
  'platform',
  'os',
  'browser',
  'language',
  'inAppBrowser',
  'via',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'answered',
  'matchType',
  'appVersion',
  'linkId',
  'tapId',
  'deviceId',
] as const;

type Query = Omit<paths[typeof ROWS]['get']['parameters']['query'], 'limit' | 'cursor'>;

/** Returns the latest {@link MOST_ROWS} rows, latest first. Times are in UTC. */
export async function rowsFile(appId: string, query: Query): Promise<Blob> {
  const lines = [COLUMNS.join()];
  let cursor: string | null | undefined;
  while (cursor !== null && lines.length <= MOST_ROWS) {
    const page = { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const { data } = await client.GET('/api/manage/apps/{appId}/analytics/events', {
      params: { path: { appId }, query: page },
    });
    lines.push(...data!.events.map(lineOf));
    cursor = data!.next;
  }
  return new Blob([MARK, ...lines.map((line) => `${line}\r\n`)], { type: 'text/csv' });
}

function lineOf({ link, ...event }: CountedEvent): string {
  const row: Record<string, unknown> = { ...event, link: link?.name, linkId: link?.id };
  return COLUMNS.map((name) => csvCell(row[name])).join();
}
