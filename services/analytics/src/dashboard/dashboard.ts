// Makes the product dashboard for Grafana, for one store. `npm run docs` writes the files in deploy/grafana.
import { type Panel, rows } from './panels.ts';
import { apps, labels, type Store, variable, zone } from './sql.ts';

interface Source {
  readonly name: string;
  readonly type: string;
  /** Settings of the plugin besides the statement. */
  target(isSeries: boolean): object;
}

const sources: Readonly<Record<Store, Source>> = {
  postgresql: {
    name: 'PostgreSQL',
    type: 'grafana-postgresql-datasource',
    target: (isSeries) => ({ format: isSeries ? 'time_series' : 'table', rawQuery: true, editorMode: 'code' }),
  },
  clickhouse: {
    name: 'ClickHouse',
    type: 'grafana-clickhouse-datasource',
    target: (isSeries) => ({
      format: isSeries ? 0 : 1,
      queryType: isSeries ? 'timeseries' : 'table',
      editorType: 'sql',
    }),
  },
};

const WIDTH = 24;
const DATASOURCE = variable('datasource');

export function productDashboard(store: Store) {
  const source = sources[store];
  return {
    title: `Landfall: product (${source.name})`,
    uid: `landfall-product-${store}`,
    description:
      'Clicks, installs, restored links and pushes of one app. docs/guides/grafana.md says what each figure means.',
    tags: ['landfall'],
    schemaVersion: 41,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '',
    timezone: 'browser',
    fiscalYearStartMonth: 0,
    liveNow: false,
    preload: false,
    time: { from: 'now-30d', to: 'now' },
    timepicker: {},
    links: [],
    annotations: { list: [] },
    templating: {
      list: [
        {
          name: 'datasource',
          label: 'Data source',
          type: 'datasource',
          query: source.type,
          hide: 0,
          includeAll: false,
          multi: false,
          options: [],
          refresh: 1,
          regex: '',
          skipUrlSync: false,
        },
        choice('app', 'App', apps[store], 0),
        choice('zone', 'Time zone', zone[store], 2),
        choice('label', 'Label', labels[store], 0),
      ],
    },
    panels: panelsOf(store),
  };

  /** @param hide 0: shown; 2: hidden */
  function choice(name: string, label: string, query: string, hide: 0 | 2) {
    return {
      name,
      label,
      type: 'query',
      datasource: { type: source.type, uid: DATASOURCE },
      query: store === 'clickhouse' ? { rawSql: query, refId: name } : query,
      definition: query,
      hide,
      includeAll: false,
      multi: false,
      options: [],
      // When the time range changes, too: apps may be new.
      refresh: 2,
      regex: '',
      skipUrlSync: false,
      sort: 0,
    };
  }
}

function panelsOf(store: Store): object[] {
  const made: object[] = [];
  let y = 0;
  for (const row of rows) {
    made.push({
      id: made.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { h: 1, w: WIDTH, x: 0, y },
      panels: [],
    });
    y += 1;
    let x = 0;
    for (const panel of row.panels) {
      if (x + panel.width > WIDTH) {
        x = 0;
        y += row.height;
      }
      made.push(panelOf(store, panel, made.length + 1, { h: row.height, w: panel.width, x, y }));
      x += panel.width;
    }
    y += row.height;
  }
  return made;
}

function panelOf(store: Store, panel: Panel, id: number, gridPos: object): object {
  const source = sources[store];
  const datasource = { type: source.type, uid: DATASOURCE };
  const isSeries = panel.type === 'timeseries';
  return {
    id,
    type: panel.type,
    title: panel.title,
    ...(panel.description && { description: panel.description }),
    datasource,
    gridPos,
    fieldConfig: { defaults: defaultsOf(panel), overrides: [] },
    options: options[panel.type],
    targets: [{ refId: 'A', datasource, ...source.target(isSeries), rawSql: panel.sql[store] }],
  };
}

function defaultsOf({ type, stacked }: Panel): object {
  const common = { unit: 'short', min: 0, color: { mode: 'palette-classic' } };
  if (type !== 'timeseries') return common;
  const stacking = { stacking: { mode: 'normal', group: 'A' } };
  // A day without events has no row: its value is 0, and the line must not jump over it.
  return { ...common, custom: { lineWidth: 2, fillOpacity: 10, spanNulls: false, ...(stacked && stacking) } };
}

/** Only what differs from Grafana's defaults. */
const options: Readonly<Record<Panel['type'], object>> = {
  stat: { colorMode: 'none', graphMode: 'none', textMode: 'value' },
  bargauge: { reduceOptions: { values: true }, orientation: 'horizontal', displayMode: 'basic' },
  timeseries: { tooltip: { mode: 'multi' } },
  table: {},
};
