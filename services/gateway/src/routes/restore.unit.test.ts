import { Busy, Failed, NoAnswer } from '@landfall/bus';
import { expect, it } from 'vitest';
import type { GatewayParts } from '../routing/route.ts';
import { restore } from './restore.ts';

interface Failing {
  /** The request to attribution fails with it. */
  ask?: Error;
  /** The request for the link that was found fails with it. */
  lookup?: Error;
}

/** Runs a restore that fails. Returns the ids of restores with lost answers, and of requested restores. */
async function ending({ ask, lookup }: Failing) {
  const [lost, asked]: string[][] = [[], []];
  const parts = {
    now: () => new Date(),
    identities: { userOf: async () => undefined },
    hashes: { fingerprint: () => 'fingerprint', address: () => 'address', userAgent: () => 'user agent' },
    bus: {
      ask: async (_: unknown, __: unknown, { id }: { id: string }) => {
        asked!.push(id);
        if (ask) throw ask;
        return { ok: true, reply: { matches: [{ linkId: 'link' }], awaitHeartbeat: false } };
      },
    },
    lookups: {
      link: async () => {
        throw lookup;
      },
    },
    restoreReleases: { lost: (id: string) => lost!.push(id) },
  };
  const client = { country: () => null, header: () => undefined };
  const call = { body: { deviceFingerprint: 'phone' }, key: { app: { id: 'app' } }, userAgent: '', ...client };

  const ended = restore.handle(call as never, parts as unknown as GatewayParts);
  await expect(ended).rejects.toBe(ask ?? lookup);
  return { lost, asked };
}

it.each([
  ['its answer does not come', { ask: new NoAnswer('nothing came back') }],
  ['its answer cannot be read', { ask: new Failed('its answer does not fit the contract') }],
  ['its links cannot be read', { lookup: new Busy('it could not be sent') }],
])('is released when %s', async (_, failing) => {
  const { lost, asked } = await ending(failing);
  expect(lost).toEqual(asked);
  expect(lost).toHaveLength(1);
});

it('is not released when it was never requested', async () => {
  expect((await ending({ ask: new Busy('it could not be sent') })).lost).toEqual([]);
});
