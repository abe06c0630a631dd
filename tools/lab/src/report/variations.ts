// Shows the weight of each guess: the same world with the lowest and the highest value of the assumption.
import { type AssumptionName, assumptions } from '../assumptions/assumptions.ts';
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Options } from '../options.ts';
import type { Job, JobResult } from '../run/job.ts';
import { summarize } from '../score/summary.ts';
import { figure, table } from './report.ts';

export interface VariationJob extends Job {
  /** Null for the world as it is. */
  readonly varied: { readonly name: AssumptionName; readonly value: number } | null;
}

export function variationJobs(world: WorldSpec, { vary, seeds, size }: Options): VariationJob[] {
  const changes: VariationJob['varied'][] = [
    null,
    ...vary.flatMap((name) => [...new Set(assumptions[name].range)].map((value) => ({ name, value }))),
  ];
  return changes.flatMap((varied) =>
    Array.from({ length: seeds }, (_, i) => ({
      world: varied === null ? world : { ...world, values: { ...world.values, [varied.name]: varied.value } },
      size,
      seed: `${i + 1}`,
      rules: [PUBLIC],
      varied,
    })),
  );
}

const PUBLIC = 'public';

export function variationReport(jobs: readonly VariationJob[], results: readonly JobResult[], json: boolean): string {
  const groups = [...Map.groupBy(jobs, ({ varied }) => varied)].map(([varied, same]) => ({
    varied,
    summary: summarize(same.map((job) => results[jobs.indexOf(job)]![PUBLIC]![0]!)),
  }));
  if (json) return JSON.stringify(groups, null, 2);
  const rows = groups.map(({ varied, summary }) => [
    varied === null ? 'as assumed' : `${varied.name} = ${varied.value} ${assumptions[varied.name].unit}`,
    figure(summary.wrong, 2),
    summary.wrongExisting.value.toFixed(2),
    figure(summary.found, 1),
  ]);
  return [
    'The world home with the public client, when one assumption has its lowest or its highest value.',
    '',
    ...table(['', 'wrong per 1,000', 'of these existing users', 'found of 100'], rows),
  ].join('\n');
}
