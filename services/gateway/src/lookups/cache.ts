// A cache of what another service answers. It is never filled by events, only emptied by them.
import { Busy, NoAnswer } from '@landfall/bus';
import { LRUCache } from 'lru-cache';

export interface CacheOptions<V> {
  /** Entries at the most; the least recently used go first. */
  max: number;
  /** Asks the owning service. Null: there is no such thing. */
  load(key: string): Promise<V | null>;
  /** What an event may name to forget this entry, e.g. the app's id. */
  tagsOf(value: V): readonly string[];
  now?(): number;
}

export interface Cache<V> {
  /** Concurrent misses for one key are one ask. */
  get(key: string): Promise<V | null>;
  /** The value if it is at hand and fresh: undefined when it must be asked for. */
  peek(key: string): V | null | undefined;
  forget(key: string): void;
  /** Forgets every entry with the tag. */
  forgetTag(tag: string): void;
  clear(): void;
}

const HIT_MS = 60_000;
const MISS_MS = 2_000;
/** While the owning service is silent, what is known is served on for this long. */
const STALE_MS = 10 * 60_000;

interface Entry<V> {
  value: V | null;
  at: number;
}

export function createCache<V extends object>(options: CacheOptions<V>): Cache<V> {
  const now = options.now ?? Date.now;
  const keysOfTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry<V>>({
    max: options.max,
    dispose: (entry, key) => untag(key, entry),
  });
  const loading = new Map<string, { promise: Promise<V | null>; forgotten: boolean }>();

  function untag(key: string, entry: Entry<V>): void {
    if (!entry.value) return;
    for (const tag of options.tagsOf(entry.value)) {
      const keys = keysOfTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOfTag.delete(tag);
    }
  }

  function store(key: string, value: V | null): void {
    entries.set(key, { value, at: now() });
    if (!value) return;
    for (const tag of options.tagsOf(value)) {
      const keys = keysOfTag.get(tag);
      if (keys) keys.add(key);
      else keysOfTag.set(tag, new Set([key]));
    }
  }

  const ageLimit = (entry: Entry<V>): number => (entry.value ? HIT_MS : MISS_MS);

  async function load(key: string, known: Entry<V> | undefined): Promise<V | null> {
    const current = { forgotten: false } as { promise: Promise<V | null>; forgotten: boolean };
    current.promise = options.load(key).then(
      (value) => {
        // Something about it changed while it was under way: good for those who wait, not for keeping.
        if (!current.forgotten) store(key, value);
        return value;
      },
      (error: unknown) => {
        const silent = error instanceof Busy || error instanceof NoAnswer;
        if (silent && known && !current.forgotten && now() - known.at < STALE_MS) return known.value;
        throw error;
      },
    );
    loading.set(key, current);
    try {
      return await current.promise;
    } finally {
      if (loading.get(key) === current) loading.delete(key);
    }
  }

  function forget(key: string): void {
    entries.delete(key);
    const current = loading.get(key);
    if (!current) return;
    current.forgotten = true;
    loading.delete(key);
  }

  return {
    get(key) {
      const known = entries.get(key);
      if (known && now() - known.at < ageLimit(known)) return Promise.resolve(known.value);
      return loading.get(key)?.promise ?? load(key, known);
    },
    peek(key) {
      const known = entries.get(key);
      return known && now() - known.at < ageLimit(known) ? known.value : undefined;
    },
    forget,
    forgetTag(tag) {
      for (const key of [...(keysOfTag.get(tag) ?? [])]) forget(key);
      // What is under way may turn out to have the tag.
      for (const current of loading.values()) current.forgotten = true;
      loading.clear();
    },
    clear() {
      entries.clear();
      for (const current of loading.values()) current.forgotten = true;
      loading.clear();
    },
  };
}
