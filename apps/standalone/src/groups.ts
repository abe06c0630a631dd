// The consumer groups of one process.
import type { GroupState, InProcessBus } from '@landfall/bus';

export function groupsOf(bus: Pick<InProcessBus, 'receivers'>): GroupState[] {
  const receivers = Map.groupBy(bus.receivers(), ({ group }) => group);
  return [...receivers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, all]) => ({
      group,
      members: 1,
      lag: all.reduce((sum, { queued, running }) => sum + queued + running, 0),
      // A message waits for milliseconds, or for the handler that runs.
      waitedMs: 0,
    }));
}
