import { Busy } from '@landfall/bus';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { restoreReleases } from './restore-releases.ts';

const restoreId = '3a50ab1e-a324-46e6-bbf3-a8d2b2555d03';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Returns releases over a bus that is busy for the first attempts. */
function releasing(busy: number) {
  const sent: unknown[] = [];
  const bus = {
    async ask(_: unknown, release: unknown) {
      sent.push(release);
      if (sent.length <= busy) throw new Busy('away');
    },
  };
  return { sent, releases: restoreReleases(bus as never, testLogger()) };
}

it('releases a restore with a lost answer again until attribution has received it', async () => {
  const { sent, releases } = releasing(2);
  releases.lost(restoreId);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([1, 2, 3].map(() => ({ restoreId, lost: true, gone: [] })));
});

it('releases a restore of links that are gone again, and keeps nobody waiting', async () => {
  const { sent, releases } = releasing(1);
  const gone = [{ linkId: 'l', version: 2, archivedAt: '2026-01-01T00:00:00.000Z', expiresAt: null }];
  await releases.gone(restoreId, gone);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([1, 2].map(() => ({ restoreId, lost: false, gone })));
});
