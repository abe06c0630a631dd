import { Busy, NoAnswer } from '@landfall/bus';
import { expect, it } from 'vitest';
import type { GatewayParts } from '../routing/route.ts';
import { restore } from './restore.ts';

/** A restore whose question ends so: the ids of the restores whose answers are lost, and of those that were asked for. */
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

it('is taken back when its answer does not come: it may have been decided', async () => {
  const { lost, asked } = await ending(new NoAnswer('nothing came back'));
  expect(lost).toEqual(asked);
  expect(lost).toHaveLength(1);
});

it('is not taken back when it was never asked for', async () => {
  expect((await ending(new Busy('it could not be sent'))).lost).toEqual([]);
});
