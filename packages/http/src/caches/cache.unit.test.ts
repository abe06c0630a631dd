import { Busy, Failed, NoAnswer } from '@landfall/bus';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCache } from './cache.ts';

interface Thing {
  name: string;
  owner: string;
}

let time: number;
let loads: string[];
let answer: (key: string) => Promise<Thing | null>;
const make = (max = 100) =>
  createCache<Thing>({
    max,
    load: (key) => {
      loads.push(key);
      return answer(key);
    },
    tagsOf: (thing) => [thing.owner],
    now: () => time,
    sizeOf: () => 1_000_000,
  });

const silence = () => {
  answer = () => Promise.reject(new NoAnswer('late'));
};

/** A load that ends when the test decides. */
function gate<T>() {
  let open!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  time = 0;
  loads = [];
  answer = async (key) => (key.startsWith('no') ? null : { name: key, owner: 'ann' });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a cache', () => {
  it('requests a value once, and keeps it for a minute', async () => {
    const cache = make();
    await cache.get('a');
    time = 59_999;
    expect(await cache.get('a')).toEqual({ name: 'a', owner: 'ann' });
    expect(loads).toEqual(['a']);
    time = 60_000;
    await cache.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('remembers a missing thing for two seconds', async () => {
    const cache = make();
    expect(await cache.get('nothing')).toBeNull();
    time = 1_999;
    await cache.get('nothing');
    expect(loads).toHaveLength(1);
    time = 2_000;
    await cache.get('nothing');
    expect(loads).toHaveLength(2);
  });

  it('joins concurrent misses into one request', async () => {
    const cache = make();
    await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')]);
    expect(loads).toEqual(['a', 'b']);
  });

  it('serves old values for ten minutes while the owner is silent', async () => {
    const cache = make();
    await cache.get('a');
    for (const error of [new Busy('full'), new NoAnswer('late')]) {
      answer = () => Promise.reject(error);
      time = 599_999;
      expect(await cache.get('a')).toMatchObject({ name: 'a' });
    }
    time = 600_000;
    await expect(cache.get('a')).rejects.toThrow(NoAnswer);
  });

  it('does not hide failures other than silence', async () => {
    const cache = make();
    await cache.get('a');
    time = 60_000;
    answer = () => Promise.reject(new Failed('broken'));
    await expect(cache.get('a')).rejects.toThrow(Failed);
  });

  it('requests again after a failure', async () => {
    const cache = make();
    answer = () => Promise.reject(new Busy('full'));
    await expect(cache.get('a')).rejects.toThrow(Busy);
    answer = async () => null;
    expect(await cache.get('a')).toBeNull();
  });

  it('forgets a key, and everything with a tag', async () => {
    const cache = make();
    await cache.get('a');
    await cache.get('b');
    cache.forget('a');
    expect([cache.peek('a'), cache.peek('b')]).toEqual([undefined, { name: 'b', owner: 'ann' }]);
    cache.forgetTag('ann');
    expect(cache.peek('b')).toBeUndefined();
  });

  it.each([
    ['forget', (cache: ReturnType<typeof make>) => cache.forget('a')],
    ['forgetTag', (cache: ReturnType<typeof make>) => cache.forgetTag('ann')],
    ['doubt', (cache: ReturnType<typeof make>) => cache.doubt()],
  ])('returns a load that was running at %s, and does not keep it', async (_, forget) => {
    const cache = make();
    const { promise, open } = gate<Thing>();
    answer = () => promise;
    const waiting = cache.get('a');
    forget(cache);
    open({ name: 'old', owner: 'ann' });
    expect(await waiting).toEqual({ name: 'old', owner: 'ann' });
    expect(cache.peek('a')).toBeUndefined();
  });

  it('serves no old value that was removed during its request', async () => {
    const cache = make();
    await cache.get('a');
    time = 60_000;
    const { promise, open } = gate<Promise<never>>();
    answer = () => promise as Promise<never>;
    const waiting = cache.get('a');
    cache.forget('a');
    open(Promise.reject(new NoAnswer('late')));
    await expect(waiting).rejects.toThrow(NoAnswer);
  });

  it('serves no missing thing while the owner is silent', async () => {
    const cache = make();
    expect(await cache.get('nothing')).toBeNull();
    time = 2_000;
    silence();
    await expect(cache.get('nothing')).rejects.toThrow(NoAnswer);
  });

  it('waits for nothing while the owner is known to be silent, and notices when it is back', async () => {
    const cache = make();
    await cache.get('a');
    await cache.get('b');
    time = 60_000;
    silence();
    await cache.get('a');
    const { promise, open } = gate<Thing>();
    answer = () => promise;
    expect(await cache.get('b')).toMatchObject({ name: 'b', owner: 'ann' });
    open({ name: 'b', owner: 'bob' });
    await expect.poll(() => cache.peek('b')).toEqual({ name: 'b', owner: 'bob' });
    answer = async (name) => ({ name, owner: 'bob' });
    expect(await cache.get('a')).toEqual({ name: 'a', owner: 'bob' });
  });

  describe('waits for a slow owner', () => {
    /** Asks for an old value. Its owner answers when the test opens the gate. */
    async function asking() {
      const cache = make();
      await cache.get('a');
      time = 60_000;
      const { promise, open } = gate<Thing>();
      answer = () => promise;
      const answered = vi.fn();
      void cache.get('a').then(answered);
      return { cache, answered, open: () => open({ name: 'a', owner: 'bob' }) };
    }

    it('a quarter of a second when it has an old value', async () => {
      const { cache, answered, open } = await asking();
      await vi.advanceTimersByTimeAsync(249);
      expect(answered).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(answered).toHaveBeenCalledWith({ name: 'a', owner: 'ann' });
      open();
      await vi.advanceTimersByTimeAsync(0);
      expect(cache.peek('a')).toEqual({ name: 'a', owner: 'bob' });
    });

    it('as long as it takes when the old value was removed meanwhile', async () => {
      const { cache, answered, open } = await asking();
      cache.forget('a');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(answered).not.toHaveBeenCalled();
      open();
      await vi.advanceTimersByTimeAsync(0);
      expect(answered).toHaveBeenCalledWith({ name: 'a', owner: 'bob' });
    });
  });

  it('requests every doubtful value again, and serves it while the owner is silent', async () => {
    const cache = make();
    await cache.get('a');
    cache.doubt();
    expect(cache.peek('a')).toBeUndefined();
    silence();
    expect(await cache.get('a')).toEqual({ name: 'a', owner: 'ann' });
    answer = async (name) => ({ name, owner: 'bob' });
    await cache.get('b');
    expect(await cache.get('a')).toEqual({ name: 'a', owner: 'bob' });
  });

  it('holds a bounded number of entries, and their tags with them', async () => {
    const cache = make(3);
    for (const key of ['a', 'b', 'c', 'd']) await cache.get(key);
    expect(cache.peek('a')).toBeUndefined();
    expect(cache.peek('d')).toBeDefined();
  });

  describe('that has learned a value', () => {
    const mine = { name: 'mine', owner: 'ann' };
    it('asks its owner, and serves it while the owner is silent, also hours later', async () => {
      const cache = make();
      cache.learn('mine', mine);
      expect(cache.peek('mine')).toBeUndefined();
      silence();
      time = 36_000_000;
      expect(await cache.get('mine')).toBe(mine);
      await expect(cache.get('other')).rejects.toThrow(NoAnswer);
      expect(loads).toEqual(['mine', 'other']);
    });

    it('serves the newest that it was told', async () => {
      const cache = make();
      cache.learn('mine', mine);
      answer = async (name) => ({ name, owner: 'bob' });
      await cache.get('mine');
      silence();
      time = 36_000_000;
      expect(await cache.get('mine')).toEqual({ name: 'mine', owner: 'bob' });
    });

    it.each([
      ['forget', (cache: ReturnType<typeof make>) => cache.forget('mine')],
      ['forgetTag', (cache: ReturnType<typeof make>) => cache.forgetTag('ann')],
      [
        'an answer that it does not exist',
        async (cache: ReturnType<typeof make>) => {
          answer = async () => null;
          await cache.get('mine');
          time = 2_000;
        },
      ],
    ])('loses it at %s', async (_, lose) => {
      const cache = make();
      cache.learn('mine', mine);
      await lose(cache);
      silence();
      await expect(cache.get('mine')).rejects.toThrow(NoAnswer);
    });

    it('serves it for ten minutes after events may have been missed', async () => {
      const cache = make();
      cache.learn('mine', mine);
      cache.doubt();
      silence();
      time = 599_999;
      expect(await cache.get('mine')).toBe(mine);
      time = 600_000;
      await expect(cache.get('mine')).rejects.toThrow(NoAnswer);
    });

    it('holds 4 MB of them', async () => {
      const cache = make();
      for (const key of ['a', 'b', 'c', 'd', 'e']) cache.learn(key, mine);
      silence();
      await expect(cache.get('a')).rejects.toThrow(NoAnswer);
      expect(await cache.get('e')).toBe(mine);
    });
  });
});
