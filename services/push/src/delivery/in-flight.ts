// Counts the deliveries in flight: their send has begun, and their outcome is not stored. If this worker is killed, all
// of them are sent again, so their number is limited.
import type { Lane } from './lane.ts';
import type { DeliverySettings } from './settings.ts';

/** The maximum number in flight after a rest, until the provider has shown that it accepts pushes again. */
const AFTER_A_REST = 20;

/** @param others returns the lane of the same app for its other provider */
export function createInFlight(
  { mostInFlight, mostUnderWay }: Pick<DeliverySettings, 'mostInFlight' | 'mostUnderWay'>,
  others: (lane: Lane) => Lane | undefined,
) {
  const ofApp = new Map<string, number>();
  let all = 0;

  /** Half, while the app's other provider has something to send: one that never answers must not stop the other. */
  const shareOf = (lane: Lane): number => {
    const other = others(lane);
    const shared = other !== undefined && !other.shut && (other.more || other.held > 0);
    const share = shared ? Math.ceil(mostInFlight / 2) : mostInFlight;
    return lane.rests > 0 ? Math.min(share, AFTER_A_REST) : share;
  };

  return {
    /** Returns what the lane must wait for. Null: it may begin one more push. */
    holdsUp(lane: Lane, mostOfALane: number): 'itself' | 'others' | null {
      if (lane.inFlight >= Math.min(shareOf(lane), mostOfALane)) return 'itself';
      return all >= mostUnderWay || (ofApp.get(lane.appId) ?? 0) >= mostInFlight ? 'others' : null;
    },
    begin(lane: Lane): void {
      all++;
      lane.inFlight++;
      ofApp.set(lane.appId, (ofApp.get(lane.appId) ?? 0) + 1);
    },
    /** Call this when the outcome of a push in the lane is stored. */
    end(lane: Lane): void {
      all--;
      lane.inFlight--;
      const left = ofApp.get(lane.appId)! - 1;
      if (left > 0) ofApp.set(lane.appId, left);
      else ofApp.delete(lane.appId);
    },
  };
}
