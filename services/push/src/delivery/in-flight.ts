// The deliveries in flight: begun, with their outcome not stored. If this worker is killed, all of them are sent again,
// so their number is bounded.
import type { Lane } from './lane.ts';
import type { DeliverySettings } from './settings.ts';

export interface InFlight {
  /**
   * The reason why the lane waits: its own pushes, or those of others. Null: it may begin one more.
   * @param mostOfALane the most that one lane may have in flight
   */
  holdsUp(lane: Lane, mostOfALane: number): 'itself' | 'others' | null;
  begin(lane: Lane): void;
  /** Its outcome is stored. */
  end(lane: Lane): void;
}

/** After a rest, until the provider has shown that it takes pushes again. */
const AFTER_A_REST = 20;

/** @param others lanes of the same app */
export function createInFlight(
  { mostInFlight, mostUnderWay }: Pick<DeliverySettings, 'mostInFlight' | 'mostUnderWay'>,
  others: (lane: Lane) => Lane | undefined,
): InFlight {
  const ofApp = new Map<string, number>();
  let all = 0;

  /** An app's other provider has half, while it has something to send: one that never answers must not stop the other. */
  const shareOf = (lane: Lane): number => {
    const other = others(lane);
    const shared = other !== undefined && !other.shut && (other.more || other.held > 0);
    const share = shared ? Math.ceil(mostInFlight / 2) : mostInFlight;
    return lane.rests > 0 ? Math.min(share, AFTER_A_REST) : share;
  };

  return {
    holdsUp(lane, mostOfALane) {
      if (lane.inFlight >= Math.min(shareOf(lane), mostOfALane)) return 'itself';
      return all >= mostUnderWay || (ofApp.get(lane.appId) ?? 0) >= mostInFlight ? 'others' : null;
    },
    begin(lane) {
      all++;
      lane.inFlight++;
      ofApp.set(lane.appId, (ofApp.get(lane.appId) ?? 0) + 1);
    },
    end(lane) {
      all--;
      lane.inFlight--;
      const left = ofApp.get(lane.appId)! - 1;
      if (left > 0) ofApp.set(lane.appId, left);
      else ofApp.delete(lane.appId);
    },
  };
}
