// A cache of what another service answers. It is never filled by events, only emptied by them.
import { Busy, NoAnswer } from '@landfall/bus';
import { LRUCache } from 'lru-cache';

export interface CacheOptions<V> {
  /** Entries at the most; the least recently used go first. */
  max: number;
  /** Asks the owning service. Null: there is no such thing. */
  load(key: string): Promise<V | null>;
  /** The ids with which an event drops this entry, e.g. the app's id. */
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
  /**
   * Events may have been missed: everything is asked for again. What is known is kept, because the same fault may keep the
   * owner silent, and is served only while that lasts.
   */
  doubt(): void;
}

const HIT_MS = 60_000;
const MISS_MS = 2_000;
/** While the owning service is silent, what is known is served on for this long. */
const STALE_MS = 10 * 60_000;
/** So long what is known waits for an owner that is slow, before that counts as silence. */
const PATIENCE_MS = 250;

interface Entry<V> {
  value: V | null;
  at: number;
  /** Events may have been missed since. */
  doubted: boolean;
}

interface Loading<V> {
  promise: Promise<V | null>;
  /** True when the answer is kept. */
  kept: boolean;
  /** True when an older answer may still be served. */
  forgotten: boolean;
}

export function createCache<V extends object>(options: CacheOptions<V>): Cache<V> {
  const now = options.now ?? Date.now;
  const keysOfTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry<V>>({
    max: options.max,
    dispose: (entry, key) => untag(key, entry),
  });
  const loading = new Map<string, Loading<V>>();
  /** Since the owner's last answer: what is known waits for nothing then, and is asked for beside it. */
  let silent = false;

  function untag(key: string, entry: Entry<V>): void {
    if (!entry.value) return;
    for (const tag of options.tagsOf(entry.value)) {
      const keys = keysOfTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOfTag.delete(tag);
    }
  }

  function store(key: string, value: V | null): void {
    entries.set(key, { value, at: now(), doubted: false });
    if (!value) return;
    for (const tag of options.tagsOf(value)) {
      const keys = keysOfTag.get(tag);
      if (keys) keys.add(key);
      else keysOfTag.set(tag, new Set([key]));
    }
  }

  const isFresh = ({ value, at, doubted }: Entry<V>): boolean => !doubted && now() - at < (value ? HIT_MS : MISS_MS);

  /** An old "not found" is not served while nobody can confirm it. */
  const mayStandIn = (known: Entry<V> | undefined): known is Entry<V> & { value: V } =>
    known?.value != null && now() - known.at < STALE_MS;

  function load(key: string): Loading<V> {
    const current = { kept: true, forgotten: false } as Loading<V>;
    const end = () => {
      if (loading.get(key) === current) loading.delete(key);
    };
    current.promise = options.load(key).then(
      (value) => {
        end();
        silent = false;
        // Something about it changed while it was under way: good for those who wait, not for keeping.
        if (current.kept) store(key, value);
        return value;
      },
      (error: unknown) => {
        end();
        if (isSilence(error)) silent = true;
        throw error;
      },
    );
    // A caller that gets the known value does not wait for the refresh.
    current.promise.catch(() => {});
    loading.set(key, current);
    return current;
  }

  async function standIn(known: Entry<V> & { value: V }, current: Loading<V>): Promise<V | null> {
    if (silent) return known.value;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, 'late');
    });
    try {
      const answer = await Promise.race([current.promise, late]);
      if (answer !== 'late') return answer;
      if (current.forgotten) return await current.promise;
      silent = true;
      return known.value;
    } catch (error) {
      if (isSilence(error) && !current.forgotten && mayStandIn(known)) return known.value;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function forget(key: string): void {
    entries.delete(key);
    const current = loading.get(key);
    if (current) disown(key, current);
  }

  /** Its answer may be from before the change. */
  function disown(key: string, current: Loading<V>): void {
    current.kept = false;
    current.forgotten = true;
    loading.delete(key);
  }

  return {
    get(key) {
      const known = entries.get(key);
      if (known && isFresh(known)) return Promise.resolve(known.value);
      const current = loading.get(key) ?? load(key);
      return mayStandIn(known) ? standIn(known, current) : current.promise;
    },
    peek(key) {
      const known = entries.get(key);
      return known && isFresh(known) ? known.value : undefined;
    },
    forget,
    forgetTag(tag) {
      for (const key of [...(keysOfTag.get(tag) ?? [])]) forget(key);
      // A lookup that is under way may turn out to have the tag.
      for (const [key, current] of [...loading]) disown(key, current);
    },
    doubt() {
      for (const entry of entries.values()) entry.doubted = true;
      for (const current of loading.values()) current.kept = false;
      loading.clear();
    },
  };
}

const isSilence = (error: unknown): boolean => error instanceof Busy || error instanceof NoAnswer;
