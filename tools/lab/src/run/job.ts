// One world with one seed: its events go to each rule, and each rule gets a score.
import type { WorldSpec } from '../assumptions/worlds.ts';
import { rules } from '../matchers/index.ts';
import { createScorer, type Score } from '../score/score.ts';
import type { Size } from '../world/ground.ts';
import { simulate } from '../world/history.ts';

export interface Job {
  readonly world: WorldSpec;
  readonly size: Size;
  readonly seed: string;
  /** Names of rules. */
  readonly rules: readonly string[];
}

/** The scores of each rule: one for each day of a rollout, else one. */
export type JobResult = Readonly<Record<string, readonly Score[]>>;

export function runJob({ world, size, seed, rules: names }: Job): JobResult {
  const isRollout = world.rollout !== undefined;
  const sized = isRollout
    ? { users: ROLLOUT_USERS * size.users, warmUp: 0, days: ROLLOUT_DAYS }
    : {
        users: Math.min(world.users ?? Number.POSITIVE_INFINITY, size.users),
        warmUp: size.warmUp,
        days: Math.max(size.days, world.days ?? 0),
      };
  const history = simulate(world, sized, seed);
  const scores: Record<string, Score[]> = {};
  for (const rule of rules.filter(({ name }) => names.includes(name))) {
    const matcher = rule.create(world, history);
    const scorer = createScorer(history, isRollout ? sized.days : 1);
    history.replay({ ...matcher, start: (start) => scorer.note(start, matcher.start(start)) });
    scores[rule.name] = scorer.scores();
  }
  return scores;
}

/** Days of a rollout that are scored, each for itself. So there are more users. */
const ROLLOUT_DAYS = 3;
const ROLLOUT_USERS = 4;
