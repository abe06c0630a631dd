import type { ConsoleParts } from '../parts.ts';

/** Returns how long the oldest event that analytics has not counted has waited, in milliseconds. Infinite: nobody knows. */
export async function countingLagMs({ groups }: Pick<ConsoleParts, 'groups'>): Promise<number> {
  try {
    const found = (await groups()).find(({ group }) => group.endsWith('analytics'));
    // With ClickHouse there is no such group. A group without a message that waits is done.
    return found && found.lag > 0 ? found.waitedMs : 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
