// The results of a run, by rule and world.
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Job, JobResult } from '../run/job.ts';
import type { Score } from '../score/score.ts';
import { type Summary, summarize, summarizeMean } from '../score/summary.ts';

export interface RuleResult {
  readonly name: string;
  readonly says: string;
  readonly isOurs: boolean;
  /** The mean of the worlds that count for it. Null when there is none. */
  readonly mean: Summary | null;
  readonly worlds: Readonly<Record<string, Summary>>;
  /** For each rollout, one summary for each day. */
  readonly rollouts: Readonly<Record<string, readonly Summary[]>>;
}

interface Named {
  readonly name: string;
  readonly says: string;
  readonly isOurs: boolean;
}

export function resultsOf(jobs: readonly Job[], results: readonly JobResult[], rules: readonly Named[]): RuleResult[] {
  const worlds = [...new Set(jobs.map(({ world }) => world))];
  const scoresOf = (rule: string, world: WorldSpec): (readonly Score[])[] =>
    results.filter((_, i) => jobs[i]!.world === world).map(({ scores }) => scores[rule]!);
  return rules.map(({ name, says, isOurs }) => {
    const steady = worlds.filter(({ rollout }) => rollout === undefined);
    const single = new Map(steady.map((world) => [world, scoresOf(name, world).map(([score]) => score!)]));
    const counted = steady.filter(({ isApart }) => !isApart).map((world) => single.get(world)!);
    return {
      name,
      says,
      isOurs,
      mean: counted.length === 0 ? null : summarizeMean(counted),
      worlds: Object.fromEntries([...single].map(([world, scores]) => [world.name, summarize(scores)])),
      rollouts: Object.fromEntries(
        worlds
          .filter(({ rollout }) => rollout !== undefined)
          .map((world) => [world.name, byDay(scoresOf(name, world))]),
      ),
    };
  });
}

/** @param seeds for each seed, a score for each day */
const byDay = (seeds: readonly (readonly Score[])[]): Summary[] =>
  seeds[0]!.map((_, day) => summarize(seeds.map((scores) => scores[day]!)));
