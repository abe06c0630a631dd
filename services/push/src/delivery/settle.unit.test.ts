import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bus } from '@landfall/bus';
import type { Database } from '@landfall/db';
import { testLogger } from '@landfall/testkit';
import { expect, it } from 'vitest';
import type { Ended, Settlement } from './queue/settlement-repository.ts';
import { defaultSettings } from './settings.ts';
import { createSettler } from './settle.ts';

it('is drained only when what is being written was told, and is marked so', async () => {
  const did: string[] = [];
  const written = Promise.withResolvers<Ended[]>();
  const settler = createSettler({
    database: {
      async transaction() {
        did.push('writes');
        if (did.length === 1) return written.promise;
        await nextTurn();
        did.push('marked');
        return [];
      },
    } as unknown as Database,
    bus: {
      async tell() {
        did.push('tells');
      },
    } as unknown as Bus,
    log: testLogger(),
    now: () => new Date(0),
    settings: defaultSettings,
    stopped: () => false,
    before: async () => {},
    ended() {},
  });
  settler.add({ taken: { id: 'd9b2d63d-a233-4123-847a-7ac8f5b6c0f1' } } as Settlement, () => did.push('done'));
  await expect.poll(() => did).toEqual(['writes']);
  const drained = settler.drain();
  const ended = { id: 'd9b2d63d-a233-4123-847a-7ac8f5b6c0f1', state: 'sent', endedAt: new Date(0), dropReason: null };
  written.resolve([ended as Ended]);
  await drained;
  expect(did).toEqual(['writes', 'tells', 'done', 'writes', 'marked']);
});
