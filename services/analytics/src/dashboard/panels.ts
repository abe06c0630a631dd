import { daily, dailyBy, type Sql, top, topOfLabel, total, totals } from './sql.ts';

export interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly type: 'stat' | 'timeseries' | 'table' | 'bargauge';
  /** Columns of 24. */
  readonly width: number;
  readonly sql: Sql;
  /** Of a timeseries: areas on top of each other. */
  readonly stacked?: true;
}

const LISTED = 15;
const panel =
  (type: Panel['type'], width: number) =>
  (title: string, sql: Sql, description?: string): Panel => ({ type, width, title, sql, description });
const stat = panel('stat', 3);
const table = panel('table', 6);
const series = panel('timeseries', 12);
const bars = panel('bargauge', 12);

export const rows: readonly { title: string; height: number; panels: readonly Panel[] }[] = [
  {
    title: 'At a glance',
    height: 4,
    panels: [
      stat('Clicks', total('clicks'), 'Taps of people. Bots and previews are not counted.'),
      stat('Visitors a day', total('visitors'), 'The mean of the days. People are told apart within one day only.'),
      stat('To a store', total('storeRedirects'), 'Clicks that were sent to a store.'),
      stat('Installs', total('installs'), 'First starts of the app on a device.'),
      stat('Installs by links', total('attributedInstalls'), 'The device got a link back within a day of its install.'),
      stat('Restored links', total('restores'), 'Links that were given back to a device after its install.'),
      stat('Opens', total('opens'), 'Links that an installed app opened.'),
      stat('Pushes opened', total('pushesOpened')),
    ],
  },
  {
    title: 'Over time',
    height: 9,
    panels: [
      series(
        'Clicks and visitors',
        daily(['clicks', 'Clicks'], ['storeRedirects', 'To a store'], ['visitors', 'Visitors']),
      ),
      series(
        'Installs and opens',
        daily(
          ['installs', 'Installs'],
          ['attributedInstalls', 'Installs by links'],
          ['opens', 'Opens'],
          ['activeDevices', 'Devices that came back'],
        ),
      ),
      {
        ...series(
          'Restored links by match',
          dailyBy('restores', 'matchType'),
          'What told that the device belongs to the tap.',
        ),
        stacked: true,
      },
      series('Pushes', daily(['pushesSent', 'Sent'], ['pushesOpened', 'Opened'], ['registrations', 'Registrations'])),
    ],
  },
  {
    title: 'From the click to the app',
    height: 8,
    panels: [
      bars(
        'Steps',
        totals(
          ['clicks', 'Clicks'],
          ['storeRedirects', 'To a store'],
          ['attributedInstalls', 'Installs by links'],
          ['restores', 'Restored links'],
          ['opens', 'Opens'],
        ),
        'Each step is counted by itself in the range.',
      ),
      table('Installs by links, by match', top('attributedInstalls', 'matchType', LISTED)),
      table('Installs by country', top('installs', 'country', LISTED)),
    ],
  },
  {
    title: 'Where clicks come from',
    height: 9,
    panels: [
      table('Top links', top('clicks', 'link', LISTED), 'Analytics knows links by their id.'),
      table('Campaigns', top('clicks', 'utmCampaign', LISTED)),
      table('Referring pages', top('clicks', 'referrer', LISTED)),
      table('By the label', topOfLabel('clicks', LISTED), 'The label is chosen above.'),
      table('Countries', top('clicks', 'country', LISTED)),
      table('Platforms', top('clicks', 'platform', LISTED)),
      table('Browsers', top('clicks', 'browser', LISTED)),
      table('Inside of apps', top('clicks', 'inAppBrowser', LISTED)),
    ],
  },
];
