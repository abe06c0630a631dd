// Windows of a minute in Redis: any number of them counted in one command.
import type { Redis } from 'ioredis';
import { type Used, usedOf, WINDOW_SECONDS } from './limits.ts';

/** Calls of one address or site. */
export interface Calls {
  key: string;
  calls: number;
  limit: number;
}

export interface RedisWindows {
  /** Counts one after the other until one is over its limit: those behind it are not counted, and null. */
  count(all: readonly Calls[]): Promise<(Used | null)[]>;
}

const PREFIX = 'landfall:limit:';

/** ARGV: seconds of a window, then calls and limit of each key. Gives the count and the milliseconds left of each. */
const COUNT = `
local counted = {}
for i, key in ipairs(KEYS) do
  redis.call('set', key, 0, 'EX', ARGV[1], 'NX')
  local used = redis.call('incrby', key, ARGV[2 * i])
  local left = redis.call('pttl', key)
  if left == -1 then
    redis.call('expire', key, ARGV[1])
    left = 1000 * ARGV[1]
  end
  counted[2 * i - 1] = used
  counted[2 * i] = left
  if used > tonumber(ARGV[2 * i + 1]) then break end
end
return counted
`;

type Counting = { landfallCount(keys: number, ...args: (string | number)[]): Promise<number[]> };

export function redisWindows(redis: Redis): RedisWindows {
  redis.defineCommand('landfallCount', { lua: COUNT });
  const counting = redis as unknown as Counting;
  return {
    async count(all) {
      const keys = all.map(({ key }) => PREFIX + key);
      const args = all.flatMap(({ calls, limit }) => [calls, limit]);
      const counted = await counting.landfallCount(keys.length, ...keys, WINDOW_SECONDS, ...args);
      return all.map(({ limit }, i) => {
        const [used, left] = counted.slice(2 * i, 2 * i + 2);
        return used === undefined ? null : usedOf(limit, used, left!);
      });
    },
  };
}
