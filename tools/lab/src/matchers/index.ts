// All rules that the lab compares, by name: Landfall at each level of evidence, and the rules of others.
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { History } from '../world/history.ts';
import { DAY } from '../world/time.ts';
import { createLandfall } from './landfall.ts';
import { levels } from './levels.ts';
import type { Matcher } from './matcher.ts';
import { otherRules } from './other-rules.ts';

export interface NamedRule {
  readonly name: string;
  readonly says: string;
  readonly isOurs: boolean;
  create(world: WorldSpec, history: History): Matcher;
}

/** Age of an app whose users all came after it adopted Landfall. */
const OLD_DAYS = 365;

export const rules: readonly NamedRule[] = [
  ...levels.map((level) => ({
    name: level.name,
    says: level.says,
    isOurs: true,
    create: ({ rollout, values }: WorldSpec, { starts }: History) =>
      createLandfall({
        level,
        starts,
        existingUsers: level.settings.existingUsers ?? rollout !== undefined,
        createdAt: -(rollout?.createdDaysBefore ?? OLD_DAYS) * DAY,
        clipboardMinutes: values.clipboardMinutes,
      }),
  })),
  ...otherRules.map((rule) => ({ ...rule, isOurs: false })),
];
