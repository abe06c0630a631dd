// Redis, where all gateways together count limits.
import type { Facts, Found } from '../facts/facts.ts';
import { REDIS_PATIENCE_MS as PATIENCE_MS, REDIS_SLOW_MS, type RedisFacts } from '../facts/redis-facts.ts';
import { type Finding, fail, ok, reasonOf, skipped, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';
import { shownUrl } from '../scrub.ts';

export const redisCheck: Check<Facts> = {
  name: 'redis',
  async run({ setup, redis }) {
    if (redis) return [redisFinding(await redis(), shownUrl(setup.redisUrl!))];
    if (!setup.kafka) return [skipped('redis', 'there is none: one process counts limits by itself')];
    return [
      skipped(
        'redis',
        'REDIS_URL is not set',
        'With several gateways set it, here and for them, or each counts limits by itself.',
      ),
    ];
  },
};

const MOST_OF_IT = 0.9;

export function redisFinding(found: Found<RedisFacts>, where: string): Finding {
  if ('error' in found) {
    const says = `Redis at ${where} cannot be used: ${reasonOf(found.error)}. Each gateway counts limits by itself meanwhile`;
    return fail('redis', says, 'Start Redis, or correct REDIS_URL (host, port, password, rediss:// for TLS).');
  }
  const { ms, version, role, maxMemory, usedMemory, policy } = found.facts;
  const took = ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
  const facts = { ms, version, role, maxMemory, usedMemory, policy };
  const says = `Redis ${version} answers in ${took} ms; maxmemory-policy ${policy || 'unknown'}`;
  if (role === 'slave')
    return fail('redis', `Redis ${version} is a replica and takes no counts`, 'Point REDIS_URL to the primary.', facts);
  if (ms > PATIENCE_MS)
    return fail(
      'redis',
      `${says}: gateways wait ${PATIENCE_MS} ms and then count by themselves`,
      'Bring it nearer to the gateways, or find out what keeps it busy (SLOWLOG).',
      facts,
    );
  if (ms > REDIS_SLOW_MS)
    return warn(
      'redis',
      `${says}: gateways wait no longer than ${PATIENCE_MS} ms`,
      'Bring it nearer to the gateways, or find out what keeps it busy (SLOWLOG).',
      facts,
    );
  if (maxMemory > 0 && policy === 'noeviction') {
    const full = usedMemory / maxMemory > MOST_OF_IT;
    const remedy =
      'Set maxmemory-policy to volatile-ttl: counts end by themselves within a minute, and a full Redis refuses them.';
    return (full ? fail : warn)(
      'redis',
      `${says}${full ? ', and nearly full' : ''}: once full it takes no counts`,
      remedy,
      facts,
    );
  }
  return ok('redis', says, facts);
}
