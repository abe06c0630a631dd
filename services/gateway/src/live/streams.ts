// Bounds how many streams are open, for each caller and for the gateway.

const OF_CALLER = 6;
const OF_GATEWAY = 500;

export interface Streams {
  /**
   * Takes a place for a stream. Returns null when the caller or the gateway has none left.
   * @param end ends the stream, when the gateway stops
   */
  take(caller: string, end: () => void): { release(): void } | null;
  /** Ends all streams. Later ones get no place. */
  stop(): void;
}

export function createStreams(): Streams {
  const open = new Map<object, { caller: string; end: () => void }>();
  let stopped = false;
  return {
    take(caller, end) {
      const own = [...open.values()].filter((stream) => stream.caller === caller).length;
      if (stopped || open.size >= OF_GATEWAY || own >= OF_CALLER) return null;
      const place = {};
      open.set(place, { caller, end });
      return { release: () => void open.delete(place) };
    },
    stop() {
      stopped = true;
      for (const { end } of open.values()) end();
    },
  };
}
