// Bounds how many streams are open, for each caller and for the gateway.
import type { ClientAddress } from '@landfall/http';

const OF_CALLER = 6;
const OF_GATEWAY = 500;
/** Visitors of a public demo share a small part, so that strangers never take the places of people who are signed in. */
const OF_VISITORS = 50;
const OF_VISITORS_ADDRESS = 2;
/** The streams of visitors from one /48, where each holds thousands of addresses. */
const OF_VISITORS_SITE = 10;

/** Who wants a stream: somebody who is signed in, by the id of the person or of the operator's token; or a visitor. */
export type Watcher =
  | { kind: 'person' | 'operator'; id: string }
  | ({ kind: 'visitor' } & Pick<ClientAddress, 'key' | 'site'>);

export function createStreams() {
  const open = new Set<{ watcher: Watcher; end: () => void }>();
  let stopped = false;

  const count = (which: (watcher: Watcher) => boolean) => [...open].filter(({ watcher }) => which(watcher)).length;

  function hasPlace(wanted: Watcher): boolean {
    if (wanted.kind !== 'visitor') {
      const own = count((one) => one.kind !== 'visitor' && one.id === wanted.id);
      if (own === 0 && wanted.kind === 'operator') return true;
      return own < OF_CALLER && open.size < OF_GATEWAY;
    }
    const visitors = count((one) => one.kind === 'visitor');
    const ofAddress = count((one) => one.kind === 'visitor' && one.key === wanted.key);
    const ofSite = count((one) => one.kind === 'visitor' && one.site !== null && one.site === wanted.site);
    const full = visitors >= OF_VISITORS || open.size >= OF_GATEWAY;
    return !full && ofAddress < OF_VISITORS_ADDRESS && ofSite < OF_VISITORS_SITE;
  }

  return {
    /** Null: the watcher or the gateway has no place left. The operator has one. A stop of the gateway calls `end`. */
    take(watcher: Watcher, end: () => void): { release(): void } | null {
      if (stopped || !hasPlace(watcher)) return null;
      const place = { watcher, end };
      open.add(place);
      return { release: () => void open.delete(place) };
    },
    /** Ends all streams. Later ones get no place. */
    stop(): void {
      stopped = true;
      for (const { end } of open) end();
    },
  };
}
