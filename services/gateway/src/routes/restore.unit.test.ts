import { Busy, NoAnswer } from '@landfall/bus';
import { expect, it } from 'vitest';
import type { GatewayParts } from '../routing/route.ts';
import { restore } from './restore.ts';

/**
 * Runs a restore whose request fails with the error. Returns the ids of restores with lost answers, and of requested
 * restores.
 */
async function ending(error: Error) {
  const [lost, asked]: string[][] = [[], []];
  const parts = {
    identities: { userOf: async () => undefined },
    hashes: { fingerprint: () => 'fingerprint', address: () => 'address', userAgent: () => 'user agent' },
    bus: {
      ask: async (_: unknown, __: unknown, { id }: { id: string }) => {
        asked!.push(id);
        throw error;
      },
    },
    lostRestores: { lost: (id: string) => lost!.push(id) },
  };
  const call = { body: { deviceFingerprint: 'phone' }, key: { app: { id: 'app' } }, userAgent: '' };
  await expect(restore.handle(call as never, parts as unknown as GatewayParts)).rejects.toBe(error);
  return { lost, asked };
}

it('is released when its answer does not come, because it may have been decided', async () => {
  const { lost, asked } = await ending(new NoAnswer('nothing came back'));
  expect(lost).toEqual(asked);
  expect(lost).toHaveLength(1);
});

it('is not released when it was never requested', async () => {
  expect((await ending(new Busy('it could not be sent'))).lost).toEqual([]);
});
