// Limits the sends of this worker. A push is under way until its provider has answered, and in flight until its outcome is
// stored. If this worker is killed, everything in flight is sent again, so there may not be much of it.
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { DeliverySettings } from './settings.ts';

/** The maximum number in flight after a rest, until the provider has shown that it accepts pushes again. */
const AFTER_A_REST = 20;

export function createInFlight({ mostInFlight, mostUnderWay }: DeliverySettings, lanes: Pick<Lanes, 'find'>) {
  const ofApp = new Map<string, number>();
  /** Lanes that wait until pushes of other lanes end. */
  const crowded = new Set<Lane>();
  let all = 0;
  let underWay = 0;
  let emptied = () => {};

  /** Half, while the app's other provider has something to send: one that never answers must not stop the other. */
  const shareOf = (lane: Lane): number => {
    const other = lanes.find({ appId: lane.appId, kind: lane.kind === 'fcm' ? 'apns' : 'fcm' });
    const shared = other !== undefined && !other.shut && (other.more || other.held > 0);
    const share = shared ? Math.ceil(mostInFlight / 2) : mostInFlight;
    return lane.rests > 0 ? Math.min(share, AFTER_A_REST) : share;
  };

  return {
    /**
     * Returns true when the lane may begin one more push.
     * @param most the maximum number in one lane, for the present number of lanes
     */
    hasRoom(lane: Lane, atOnce: number, most: number): boolean {
      if (lane.underWay >= Math.min(atOnce, most) || lane.inFlight >= Math.min(shareOf(lane), most)) return false;
      const isFull = Math.max(underWay, all) >= mostUnderWay || (ofApp.get(lane.appId) ?? 0) >= mostInFlight;
      if (isFull) crowded.add(lane);
      return !isFull;
    },
    /** Returns the lanes that found no room because of others, each once, as long as there may be room for them. */
    *crowded(): Generator<Lane> {
      for (const lane of [...crowded]) {
        if (underWay >= mostUnderWay) return;
        crowded.delete(lane);
        yield lane;
      }
    },
    begin(lane: Lane): void {
      all++;
      underWay++;
      lane.underWay++;
      lane.inFlight++;
      ofApp.set(lane.appId, (ofApp.get(lane.appId) ?? 0) + 1);
    },
    answered(lane: Lane): void {
      lane.underWay--;
      underWay--;
      if (underWay === 0) emptied();
    },
    /** Call this when the outcome of a push in the lane is stored. */
    stored(lane: Lane): void {
      all--;
      lane.inFlight--;
      const left = ofApp.get(lane.appId)! - 1;
      if (left > 0) ofApp.set(lane.appId, left);
      else ofApp.delete(lane.appId);
    },
    /** Returns the number of sends that the provider has not answered. */
    underWay: (): number => underWay,
    /** Resolves when no send is under way. */
    async sent(): Promise<void> {
      while (underWay > 0) await new Promise<void>((resolve) => (emptied = resolve));
    },
  };
}
