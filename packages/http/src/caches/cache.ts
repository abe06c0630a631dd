// Caches the answers of another service. Events never fill it. They only remove entries.

import { type Bus, Busy, NoAnswer } from '@landfall/bus';
import type { DataOf, EventDef } from '@landfall/contracts';
import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';

export interface CacheOptions<V> {
  /** The maximum number of entries. The least recently used go first. */
  max: number;
  /** Asks the owning service. Null when the thing does not exist. */
  load(key: string): Promise<V | null>;
  /** The tags by which an event removes this entry, e.g. the app's id. Without it an entry has none. */
  tagsOf?(value: V): readonly string[];
  now?(): number;
  /** The size of a value for `learn`, in bytes, about. Without it nothing can be learned. */
  sizeOf?(value: V): number;
}

const HIT_MS = 60_000;
const MISS_MS = 2_000;
/** Milliseconds for which old values are served while the owning service is silent. */
const STALE_MS = 10 * 60_000;
/** The size of all learned values, in bytes. The least recently used go first. */
const LEARNED_BYTES = 4_000_000;
/** Milliseconds to wait for a slow owner before it counts as silent. */
const PATIENCE_MS = 250;

interface Entry<V> {
  value: V | null;
  at: number;
  /** True when events may have been missed since. */
  doubted: boolean;
}

interface Loading<V> {
  promise: Promise<V | null>;
  kept: boolean;
  /** True when the earlier value must no longer be served. */
  forgotten: boolean;
}

export function createCache<V extends object>(options: CacheOptions<V>) {
  const { now = Date.now, sizeOf, tagsOf = () => [] } = options;
  const keysOfTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry<V>>({
    max: options.max,
    dispose: (entry, key) => untag(key, entry),
  });
  const learned =
    sizeOf &&
    new LRUCache<string, { value: V; until: number }>({
      maxSize: LEARNED_BYTES,
      sizeCalculation: ({ value }) => sizeOf(value),
    });
  const loading = new Map<string, Loading<V>>();
  /** True while the owner does not answer. Then old values are served at once, and are requested in parallel. */
  let silent = false;

  function untag(key: string, entry: Entry<V>): void {
    if (!entry.value) return;
    for (const tag of tagsOf(entry.value)) {
      const keys = keysOfTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOfTag.delete(tag);
    }
  }

  function store(key: string, value: V | null): void {
    entries.set(key, { value, at: now(), doubted: false });
    if (learned?.has(key)) learn(key, value);
    if (!value) return;
    for (const tag of tagsOf(value)) {
      const keys = keysOfTag.get(tag);
      if (keys) keys.add(key);
      else keysOfTag.set(tag, new Set([key]));
    }
  }

  /**
   * Keeps a value that this process has just made. It is served only while the owner is silent and nothing else is
   * known, because another process may have changed it since. Nothing stands in for a thing that does not exist.
   */
  function learn(key: string, value: V | null): void {
    if (value === null) learned?.delete(key);
    else learned?.set(key, { value, until: Number.POSITIVE_INFINITY });
  }

  const isFresh = ({ value, at, doubted }: Entry<V>): boolean => !doubted && now() - at < (value ? HIT_MS : MISS_MS);

  /**
   * Returns the value for while the owner is silent. A missing thing may not stand in: nobody can say whether it still
   * does not exist. A learned value has no age: as long as no event was missed, nobody has changed it.
   */
  function standInFor(key: string): V | null {
    const known = entries.get(key);
    if (known?.value != null && now() - known.at < STALE_MS) return known.value;
    const made = learned?.get(key);
    return made !== undefined && now() < made.until ? made.value : null;
  }

  function load(key: string): Loading<V> {
    const current = { kept: true, forgotten: false } as Loading<V>;
    const end = () => {
      if (loading.get(key) === current) loading.delete(key);
    };
    current.promise = options.load(key).then(
      (value) => {
        end();
        silent = false;
        // The answer is good for those who wait. It is not kept when the thing changed during the request.
        if (current.kept) store(key, value);
        return value;
      },
      (error: unknown) => {
        end();
        if (isSilence(error)) silent = true;
        throw error;
      },
    );
    // A caller who gets the old value does not wait for it.
    current.promise.catch(() => {});
    loading.set(key, current);
    return current;
  }

  async function standIn(key: string, value: V, current: Loading<V>): Promise<V | null> {
    if (silent) return value;
    try {
      const answer = await pTimeout(current.promise, { milliseconds: PATIENCE_MS, fallback: () => 'late' as const });
      if (answer !== 'late') return answer;
      if (current.forgotten) return await current.promise;
      silent = true;
      return value;
    } catch (error) {
      if (isSilence(error) && !current.forgotten && standInFor(key) !== null) return value;
      throw error;
    }
  }

  function forget(key: string): void {
    entries.delete(key);
    learned?.delete(key);
    const current = loading.get(key);
    if (current) disown(key, current);
  }

  /** Marks a running request as not to be kept, because its answer may be from before the change. */
  function disown(key: string, current: Loading<V>): void {
    current.kept = false;
    current.forgotten = true;
    loading.delete(key);
  }

  return {
    /** Returns the value. Concurrent misses for one key share one request. */
    get(key: string): Promise<V | null> {
      const known = entries.get(key);
      if (known && isFresh(known)) return Promise.resolve(known.value);
      const current = loading.get(key) ?? load(key);
      const old = standInFor(key);
      return old === null ? current.promise : standIn(key, old, current);
    },
    /** Returns the value if it is cached and fresh. Undefined when it must be requested. */
    peek(key: string): V | null | undefined {
      const known = entries.get(key);
      return known && isFresh(known) ? known.value : undefined;
    },
    learn,
    forget,
    forgetTag(tag: string): void {
      for (const key of [...(keysOfTag.get(tag) ?? [])]) forget(key);
      for (const [key, { value }] of learned ?? []) if (tagsOf(value).includes(tag)) learned?.delete(key);
      // A running request may turn out to have the tag.
      for (const [key, current] of [...loading]) disown(key, current);
    },
    /**
     * Marks all entries as doubtful, because events may have been missed. Each is requested again. The old values are
     * kept, because the same fault may make the owner silent. They are served only while it is silent.
     */
    doubt(): void {
      for (const entry of entries.values()) entry.doubted = true;
      for (const made of learned?.values() ?? []) made.until = Math.min(made.until, now() + STALE_MS);
      for (const current of loading.values()) current.kept = false;
      loading.clear();
    },
  };
}

/** Calls `forget` at an event of any process. After a gap in the events, the caches doubt what they hold. */
export function forgetAt<E extends EventDef>(
  bus: Bus,
  event: E,
  caches: readonly { doubt(): void }[],
  forget: (data: DataOf<E>) => void,
): void {
  bus.watch(event, forget, {
    onGap() {
      for (const cache of caches) cache.doubt();
    },
  });
}

const isSilence = (error: unknown): boolean => error instanceof Busy || error instanceof NoAnswer;
