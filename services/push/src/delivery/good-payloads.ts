// Firebase gives the same answer for a bad payload and for an invalid token. If another device has accepted the same
// payload, the token is invalid.
import type { Sql } from '@landfall/db';
import { type PushOutcome, SUSPICIOUS } from '../domain/outcomes.ts';
import { type Variant, variantOf } from '../domain/render/variant.ts';
import type { Judged } from '../domain/verdict.ts';
import type { Held } from './lane.ts';
import { queueRepository } from './queue/queue-repository.ts';

export type GoodPayloads = ReturnType<typeof createGoodPayloads>;

/** Milliseconds. In this time, a push to many devices has reached at least one of them. */
const WAIT_MS = 10_000;

export function createGoodPayloads(sql: Sql) {
  const repository = queueRepository(sql);
  const good = new WeakSet<Variant>();

  const payloadOf = ({ taken, notification }: Held): Variant =>
    variantOf(notification!.message, taken.platform, taken.language);

  return {
    /** Records that a device accepted the payload. */
    taken: (one: Held): void => void good.add(payloadOf(one)),
    /** Reads whether other workers have sent the payloads of the deliveries that Firebase has refused before. */
    async learn(taken: readonly Held[]): Promise<void> {
      const suspects = taken.filter(
        (one) => one.taken.reason === SUSPICIOUS && one.notification && !good.has(payloadOf(one)),
      );
      if (suspects.length === 0) return;
      const sent = await repository.wereSent(suspects.map(({ taken }) => taken));
      for (const [at, one] of suspects.entries()) if (sent[at]) good.add(payloadOf(one));
    },
    /** If no device is known to have accepted the payload, the push waits once for the answers for other devices. */
    judge(one: Held, outcome: PushOutcome): Judged {
      if (outcome.kind !== 'suspect') return outcome;
      const { reason } = outcome;
      if (good.has(payloadOf(one))) return { kind: 'drop', reason, asOf: null };
      return one.taken.reason === reason ? { kind: 'fail', reason } : { kind: 'retry', reason, retryAfterMs: WAIT_MS };
    },
  };
}
