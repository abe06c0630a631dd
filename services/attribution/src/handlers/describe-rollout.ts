import type { One } from '@landfall/bus';
import type { DescribeRollout } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { NOTHING_SEEN, rolloutOf } from '../domain/rollout.ts';
import { activityReader } from '../repositories/activity-repository.ts';

export function describeRollout(database: Database): One<typeof DescribeRollout> {
  return async ({ appId, appCreatedAt, existingUsers }, { now }) => {
    const activity = (await activityReader(database).find([appId], now)).get(appId) ?? NOTHING_SEEN;
    const { seen, firstSeen } = activity;
    const found = existingUsers ? rolloutOf(new Date(appCreatedAt), now, activity) : null;
    const rollout = found && { reason: found.reason, until: found.until };
    return { reply: { rollout, devices: { seen, firstSeen } } };
  };
}
