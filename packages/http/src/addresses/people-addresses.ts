// Keeps the last addresses of taps and app starts. When nearly all have one address, a proxy hides the real addresses.
import { isPrivate } from './address.ts';

const LAST = 1_000;

export function peopleAddresses(last = LAST) {
  const keys = new Array<string>(last).fill('');
  const times = new Float64Array(last);
  const forwards = new Uint8Array(last);
  let count = 0;

  return {
    /** Records one tap or app start. It is called for each of them, so it must be fast: about 100 ns. */
    saw(key: string, forwarded: boolean, now: number): void {
      const at = count++ % last;
      keys[at] = key;
      times[at] = now;
      forwards[at] = forwarded ? 1 : 0;
    },
    /** Returns numbers of the last requests, at most 1,000. */
    read() {
      const requests = Math.min(count, last);
      const byKey = new Map<string, number>();
      for (const key of keys.slice(0, requests)) byKey.set(key, (byKey.get(key) ?? 0) + 1);
      const [most] = [...byKey].sort(([, a], [, b]) => b - a);
      return {
        requests,
        /** The time of the oldest, in milliseconds since 1970. Null when there is none. */
        since: requests === 0 ? null : times[count > last ? count % last : 0]!,
        addresses: byKey.size,
        /** The number of requests with X-Forwarded-For. */
        forwarded: forwards.subarray(0, requests).reduce((sum, one) => sum + one, 0),
        /** The most frequent address. It is named only when it is private, for example a proxy's. */
        mostFrequent: most ? { requests: most[1], address: isPrivate(most[0]) ? most[0] : null } : null,
      };
    },
  };
}
