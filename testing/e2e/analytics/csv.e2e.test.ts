// Every figure of a CSV file equals a count over the list of events.
import { countedBy, randomEvents, seeded } from '@landfall/analytics/testing';
import type { AnalyticsDimension } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { casesOf, systemOfFile } from '../calls.ts';

const { system } = await systemOfFile();
const { app } = await system.makeApp();
const DAY_MS = 86_400_000;
const now = system.clock();
const days = Array.from({ length: 20 }, (_, i) => new Date(now - (20 - i) * DAY_MS).toISOString().slice(0, 10));
const events = randomEvents({ count: 600, from: new Date(now - 20 * DAY_MS), to: new Date(now), apps: [app.id] });
await Promise.all(
  events.map(({ event, data, id, now }) => system.tell(event, data as never, { id, now, timeoutMs: 60_000 })),
);
await system.settled();

const random = seeded(17);
const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const METRICS = ['clicks', 'attributedInstalls', 'restores'] as const;
const DIMENSIONS = ['country', 'platform', 'utmSource', 'utmCampaign', 'browser', 'via'] as const;

/** Reads a file: its lines, as cells by the names of the columns. */
async function read(path: string, query: [string, string][]): Promise<Record<string, string>[]> {
  const search = new URLSearchParams(query);
  const { status, text } = await system.manage({ path: `/api/manage/apps/${app.id}/analytics${path}?${search}` });
  expect([status, status === 200 || text]).toEqual([200, true]);
  const [head, ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n').map(cellsOf);
  return lines.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i]!])));
}

const cellsOf = (line: string): string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  );

/** A question at random, with what it counts. */
function question(metrics: readonly (typeof METRICS)[number][]) {
  const [from, to] = [one(days.slice(0, 10)), one(days.slice(10))];
  const filters = Array.from({ length: Math.floor(random() * 3) }, () => {
    const dimension = one(DIMENSIONS);
    return { dimension, value: one(countedBy(events, app.id, 'clicks')).of(dimension) };
  });
  const kept = metrics.map((metric) =>
    countedBy(events, app.id, metric).filter(
      ({ at, of }) =>
        dayOf(at) >= from &&
        dayOf(at) <= to &&
        [...Map.groupBy(filters, (f) => f.dimension)].every(([dimension, same]) =>
          same.some(({ value }) => value === of(dimension)),
        ),
    ),
  );
  const query: [string, string][] = [
    ...metrics.map((metric): [string, string] => ['metric', metric]),
    ['from', from],
    ['to', to],
    ['limit', '1000'],
    ...filters.map(({ dimension, value }): [string, string] => ['filter', `${dimension}:${value ?? ''}`]),
  ];
  return { kept, query };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const counts = (all: readonly { of(dimension: AnalyticsDimension): string | null }[], dimension: AnalyticsDimension) =>
  new Map([...Map.groupBy(all, ({ of }) => of(dimension) ?? '')].map(([value, own]) => [value, own.length]));

it('figures by day, and by day and value', async () => {
  for (let i = 0; i < casesOf(60); i++) {
    const metric = one(METRICS);
    const { kept, query } = question([metric]);
    const byDay = new Map([...Map.groupBy(kept[0]!, ({ at }) => dayOf(at))].map(([day, own]) => [day, own.length]));
    const lines = await read('/export', query);
    const given = new Map(lines.map((line) => [line.from!, Number(line[metric])] as const).filter(([, n]) => n > 0));
    expect([query, given]).toEqual([query, new Map([...byDay].sort())]);
    const groupBy = one(DIMENSIONS);
    const groups = new Map<string, number>();
    for (const { value, ...line } of await read('/export', [...query, ['groupBy', groupBy]]))
      groups.set(value!, (groups.get(value!) ?? 0) + Number(line[metric]));
    expect([query, groupBy, groups]).toEqual([query, groupBy, counts(kept[0]!, groupBy)]);
  }
});

it('cards', async () => {
  for (let i = 0; i < casesOf(60); i++) {
    const metrics = [...METRICS].slice(0, 1 + Math.floor(random() * 3));
    const { kept, query } = question(metrics);
    const dimension = one(DIMENSIONS);
    const lines = await read('/breakdowns/export', [...query, ['dimension', dimension]]);
    const all = kept.map((own) => counts(own, dimension));
    const wanted = new Map([...all[0]!.keys()].map((value) => [value, all.map((of) => of.get(value) ?? 0)]));
    const given = new Map(lines.map((line) => [line.value!, metrics.map((metric) => Number(line[metric]))]));
    expect([query, dimension, given]).toEqual([query, dimension, wanted]);
  }
});
