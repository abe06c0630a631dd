// `npm run lab`: judges rules of matching in simulated worlds.
import { worlds } from './assumptions/worlds.ts';
import { rules } from './matchers/index.ts';
import { help, type Options, readOptions } from './options.ts';
import { assumptionTable, report, resultsOf } from './report/report.ts';
import { variationJobs, variationReport } from './report/variations.ts';
import type { Job } from './run/job.ts';
import { runJobs } from './run/threads.ts';

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function main(options: Options): Promise<void> {
  if (options.help) return console.log(help);
  if (options.assumptions) return console.log(assumptionTable());
  const { seeds, size, json } = options;
  if (options.vary.length > 0) {
    const jobs = variationJobs(worlds[0]!, options);
    return console.log(variationReport(jobs, await run(jobs, options), json));
  }
  const jobs = options.worlds.flatMap((world) => seedNames(seeds).map((seed): Job => ({ ...options, world, seed })));
  const chosen = rules.filter(({ name }) => options.rules.includes(name));
  const results = resultsOf(jobs, await run(jobs, options), chosen);
  const about = { seeds, users: size.users, days: size.days };
  console.log(json ? JSON.stringify({ ...about, rules: results }, null, 2) : report(results, about));
}

function seedNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${i + 1}`);
}

/** Runs the jobs, and tells the progress on stderr. */
function run(jobs: readonly Job[], { threads }: Options) {
  const began = performance.now();
  return runJobs(jobs, threads, ({ world, seed }, count) => {
    const seconds = Math.round((performance.now() - began) / 1000);
    console.error(`${count} of ${jobs.length}: ${world.name}, seed ${seed}, after ${seconds} s`);
  });
}
