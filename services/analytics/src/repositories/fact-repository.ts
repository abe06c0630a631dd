import { type ColumnTable, columnsOf, type SqlTransaction } from '@landfall/db';
import { type Fact, kinds } from '../domain/fact.ts';

export interface StoredFact extends Fact {
  /** Of a click: one number for a person on one day. */
  readonly visitor: bigint | null;
}

/** Stores facts, and returns the ids of those that were not stored before. Every id is given once. */
export async function addFacts(tx: SqlTransaction, facts: readonly StoredFact[]): Promise<Set<string>> {
  const { statement, columns } = facts.every(({ kind }) => kind === kinds.click) ? clicks : others;
  const rows = await tx.rows<{ id: string }>(statement, columns.valuesOf(facts));
  return new Set(rows.map(({ id }) => id));
}

const all: ColumnTable<StoredFact> = {
  at: ['timestamptz', (f) => f.at],
  id: ['uuid', (f) => f.id],
  app_id: ['uuid', (f) => f.appId],
  kind: ['smallint', (f) => f.kind],
  link_id: ['uuid', (f) => f.linkId],
  device: ['uuid', (f) => f.device],
  visitor: ['bigint', (f) => f.visitor],
  click_id: ['uuid', (f) => f.clickId],
  clicked_at: ['timestamptz', (f) => f.clickedAt],
  installed_at: ['timestamptz', (f) => f.installedAt],
  install_day: ['smallint', (f) => f.installDay],
  to_store: ['boolean', (f) => f.toStore],
  target: ['text', (f) => f.target],
  country: ['text', (f) => f.country],
  platform: ['text', (f) => f.platform],
  os: ['text', (f) => f.os],
  os_version: ['text', (f) => f.osVersion],
  browser: ['text', (f) => f.browser],
  language: ['text', (f) => f.language],
  referrer: ['text', (f) => f.referrer],
  in_app_browser: ['text', (f) => f.inAppBrowser],
  via: ['text', (f) => f.via],
  utm_source: ['text', (f) => f.utmSource],
  utm_medium: ['text', (f) => f.utmMedium],
  utm_campaign: ['text', (f) => f.utmCampaign],
  utm_term: ['text', (f) => f.utmTerm],
  utm_content: ['text', (f) => f.utmContent],
  match_type: ['text', (f) => f.matchType],
  app_version: ['text', (f) => f.appVersion],
  labels: ['jsonb', (f) => (f.labels === null ? null : JSON.stringify(f.labels))],
};

/** Columns that a click does not have. Most facts are clicks, and writing empty columns takes time, too. */
const NOT_OF_CLICKS: ReadonlySet<string> = new Set([
  'device',
  'click_id',
  'clicked_at',
  'installed_at',
  'install_day',
  'match_type',
  'app_version',
]);

function insertion(table: ColumnTable<StoredFact>) {
  const columns = columnsOf(table);
  const statement = `
    insert into analytics.facts (${columns.names}) select * from ${columns.unnest('f')}
    on conflict do nothing returning id`;
  return { columns, statement };
}
const others = insertion(all);
const clicks = insertion(Object.fromEntries(Object.entries(all).filter(([name]) => !NOT_OF_CLICKS.has(name))));
