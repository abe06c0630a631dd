import { Busy, Failed, NoAnswer } from '@landfall/bus';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GatewayParts } from '../routing/route.ts';
import { restore } from './restore.ts';

interface Failing {
  /** The request to attribution fails with it. */
  ask?: Error;
  /** The request for the link that was found fails with it. */
  lookup?: Error;
}

const match = { linkId: 'link', originalUrl: 'https://demo.example/slug', sealedUrl: null };

/** The length of a look-up without an answer, in milliseconds. */
const QUERY_MS = 2_000;
/** The time-out of the client, in milliseconds. */
const CLIENT_MS = 15_000;

afterEach(() => void vi.useRealTimers());

/**
 * Starts a restore that finds one link.
 * @param failing the errors of its requests. It is read at each request
 */
function start(failing: Failing) {
  const [lost, asked]: string[][] = [[], []];
  const parts = {
    now: () => new Date(),
    identities: { userOf: async () => undefined },
    hashes: {
      fingerprint: () => 'fingerprint',
      address: () => 'address',
      site: () => null,
      userAgent: () => 'user agent',
    },
    bus: {
      ask: async (_: unknown, __: unknown, { id }: { id: string }) => {
        asked!.push(id);
        if (failing.ask) throw failing.ask;
        return { ok: true, reply: { matches: [match], awaitHeartbeat: false } };
      },
    },
    lookups: {
      async link(id: string) {
        if (failing.lookup instanceof NoAnswer) await new Promise((resolve) => setTimeout(resolve, QUERY_MS));
        if (failing.lookup) throw failing.lookup;
        return {
          id,
          appId: 'app',
          slug: 'slug',
          destination: '/welcome',
          archivedAt: null,
          expiresAt: null,
          metadata: {},
        };
      },
    },
    restored() {},
    clientCalls: { called() {} },
    restoreReleases: { lost: (id: string) => lost!.push(id) },
  };
  const client = { country: () => null, header: () => undefined };
  const call = { body: { deviceFingerprint: 'phone' }, key: { app: { id: 'app' } }, userAgent: '', ...client };

  return { ended: restore.handle(call as never, parts as unknown as GatewayParts), lost: lost!, asked: asked! };
}

/** Runs a restore that fails. Returns the ids of restores with lost answers, and of requested restores. */
async function ending(failing: Failing) {
  const { ended, lost, asked } = start(failing);
  await expect(ended).rejects.toBe(failing.ask ?? failing.lookup);
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

describe('link workers that are silent', () => {
  const silent = new NoAnswer('nothing came back');

  it('are asked again: the app gets its link as soon as they answer', async () => {
    vi.useFakeTimers();
    const failing: Failing = { lookup: silent };
    const { ended, lost } = start(failing);
    await vi.advanceTimersByTimeAsync(3 * QUERY_MS);
    delete failing.lookup;
    await vi.advanceTimersByTimeAsync(QUERY_MS);
    expect((await ended).restoredLinks).toMatchObject([{ linkId: 'link', destination: '/welcome' }]);
    expect(lost).toEqual([]);
  });

  it('are asked for so long that the client still gets an answer, and then the restore is released', async () => {
    vi.useFakeTimers();
    const { ended, lost, asked } = start({ lookup: silent });
    const rejected = expect(ended).rejects.toBe(silent);
    await vi.advanceTimersByTimeAsync(CLIENT_MS - 2 * QUERY_MS);
    await rejected;
    expect(lost).toEqual(asked);
  });
});
