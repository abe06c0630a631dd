import type { Lane } from './lane.ts';
import type { DeliverySettings } from './settings.ts';

/** The number of deliveries that a lane may take now. */
export interface Wanted {
  readonly lane: Lane;
  readonly most: number;
}

/** The maximum number of deliveries that one statement takes. */
const MOST_TAKEN = 1_000;

/**
 * Gives each lane enough to keep its provider busy, and no more than its share of what this worker may hold. One share
 * stays free for a new lane, even if the deliveries of the other lanes never end.
 * @param held the number of deliveries that this worker holds
 * @returns `mostUnderWay`: the maximum number of sends under way in each lane, for the present number of lanes
 */
export function sharesOf(lanes: Iterable<Lane>, held: number, settings: DeliverySettings) {
  const active = [...lanes].filter((lane) => lane.more || lane.held > 0);
  const among = active.length + 1;
  const share = Math.max(Math.floor(settings.mostHeld / among), 1);
  let room = Math.min(settings.mostHeld - held, MOST_TAKEN);
  const wanted: Wanted[] = [];
  for (const lane of active) {
    if (!lane.more || lane.shut) continue;
    const { atOnce } = lane.provider?.() ?? { atOnce: MOST_TAKEN };
    const full = Math.min(atOnce * 3, share);
    const most = Math.min(full - lane.held, atOnce * 2 - lane.waiting.length, room);
    // Many small batches cost more than a few large batches.
    if (most <= 0 || most < Math.min(full, atOnce) / 4) continue;
    wanted.push({ lane, most });
    room -= most;
  }
  return { wanted, mostUnderWay: Math.max(Math.floor(settings.mostUnderWay / among), 1) };
}
