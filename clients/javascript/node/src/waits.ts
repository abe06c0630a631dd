// How long to wait before the next try, and the waiting.
import type { LandfallError } from './landfall-error.ts';

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** Callers that were refused together do not come back together. */
const SPREAD_MS = 1_000;

/** @returns milliseconds before the next try, of which `tries` were made */
export function waitAfter(tries: number, { retryAfterSeconds }: Pick<LandfallError, 'retryAfterSeconds'>): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000 + Math.random() * SPREAD_MS;
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return (longest / 2) * (1 + Math.random());
}

/** Reads the header `Retry-After`: seconds, or a date. Null when it is missing or neither. */
export function retryAfterIn(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Decides about each further try of one call. */
export interface Patience {
  /** Waits for the next try. False: there is none. */
  hasWaited(error: LandfallError): Promise<boolean>;
}

export interface Limits {
  /** The maximum number of further tries. */
  retries: number;
  /** No try begins later than this after the first one. */
  retryForSeconds: number;
}

export function patience({ retries, retryForSeconds }: Limits, signal: AbortSignal | undefined): Patience {
  const end = Date.now() + retryForSeconds * 1_000;
  let tries = 1;
  return {
    async hasWaited(error) {
      const ms = waitAfter(tries, error);
      if (tries > retries || Date.now() + ms > end) return false;
      tries++;
      await pause(ms, signal);
      return true;
    },
  };
}
