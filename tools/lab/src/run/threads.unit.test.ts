import { describe, expect, it } from 'vitest';
import { rollouts, worlds } from '../assumptions/worlds.ts';
import { rules } from '../matchers/index.ts';
import { report, resultsOf } from '../report/report.ts';
import type { Job } from './job.ts';
import { runJobs } from './threads.ts';

describe('a run of the lab', () => {
  const size = { users: 150, warmUp: 1, days: 1 };
  const names = ['public', 'last-tap'];
  const jobs = [worlds[0]!, rollouts[1]!].flatMap((world) =>
    ['1', '2'].map((seed): Job => {
      // Without users outside of the slice a run takes no second.
      const values = { ...world.values, wholeUsers: size.users };
      return { world: { ...world, values }, size, seed, rules: names };
    }),
  );
  const print = async (threads: number) => {
    const done: string[] = [];
    const results = await runJobs(jobs, threads, ({ world, seed }) => done.push(`${world.name} ${seed}`));
    expect(done.toSorted()).toEqual(jobs.map(({ world, seed }) => `${world.name} ${seed}`).toSorted());
    const chosen = rules.filter(({ name }) => names.includes(name));
    return report(resultsOf(jobs, results, chosen), { seeds: 2, users: size.users, days: size.days });
  };

  it('prints the same bytes on one thread and on several', async () => {
    const text = await print(1);
    expect(await print(2)).toBe(text);
    expect(text).toContain('Wrong links per 1,000 installs');
    expect(text).toMatch(/^last-tap +\d+\.\d+ \[\d+\.\d+, \d+\.\d+\]/m);
    expect(text).toMatch(/^home-2-days, public +\d+\.\d+ \[/m);
  });

  it('tells a fault in a thread', async () => {
    const impossible = { ...jobs[0]!, world: { ...worlds[0]!, values: { ...worlds[0]!.values, penetration: 0.99 } } };
    await expect(runJobs([impossible, impossible], 2, () => undefined)).rejects.toThrow('have the app');
  });
});
