import type { Platform } from '@landfall/contracts';
import { type Ask, hasSeveralPhones, type PendingLink, type Sighting } from './candidate.ts';
import type { Device } from './device.ts';
import { awaitsHeartbeat, type Decision, decide } from './match.ts';
import { codeOf } from './outcome.ts';
import { createPast, type Restore } from './past.ts';
import type { Closing, Pool } from './pool.ts';
import { namedPlatform } from './rules/evidence.ts';
import { considered, isSomething, summarize, summarizeRepeat } from './summary.ts';
import { seconds, since } from './time.ts';
import { type Facts, factsOf, type Nearby } from './what-if/facts.ts';

/** A claimant gets the same answer again for as long as a client waits for one. A longer time would navigate twice. */
export const REPLAY_SECONDS = 15;

export type RestoreRequest = Ask & {
  readonly claimant: string | null;
  readonly sighting: Sighting;
  /** The taps for the facts. `never`: no setting changes the decision. Left out: nothing is remembered. */
  readonly nearby?: Nearby | 'never' | undefined;
  /** True for the first restore of an install. It is stored also when there was nothing to decide. */
  readonly isFirst?: boolean;
  /** True when no restore of the batch has anything to decide about. */
  readonly isIdle?: boolean;
  /** Returns true when the caller no longer waits. It is called just before links are given. */
  expired(): boolean;
};

/** The facts of its request that a stored restore keeps for people. In rows of older versions all of them are null. */
export interface Told {
  readonly email: string | null;
  /** The platform that the client named, with this request or with a heartbeat. */
  readonly platform: Platform | null;
  readonly keyId: string | null;
  readonly client: string | null;
  readonly requestId: string | null;
  /** The names of the evidence that came. */
  readonly sent: readonly string[] | null;
}

/** A new restore, with the facts from which other settings can decide it again. */
export interface NewRestore extends Restore, Told {
  readonly facts: Facts | null;
  /** The links that were considered. Null: none. */
  readonly linkIds: readonly string[] | null;
}

export interface Decided {
  readonly restores: NewRestore[];
  readonly closings: Closing[];
  /** The ids of messages whose callers must ask once more. */
  readonly awaiting: Set<string>;
}

/**
 * Decides restores in message order: which get an earlier answer, which wait for a heartbeat, and which get links.
 * @param earlier what these messages did before, what their claimants got in the last seconds, and all that their tokens
 * and devices ever got
 */
export function restoreInOrder(asks: readonly RestoreRequest[], pool: Pool, earlier: readonly Restore[]): Decided {
  const done = new Set(earlier.map((restore) => restore.id));
  const restores: NewRestore[] = [];
  const closings = new Map<string, Closing>();
  const awaiting = new Set<string>();
  const past = createPast(earlier);
  for (const ask of asks) {
    if (done.has(ask.id)) continue;
    if (ask.isIdle) {
      const facts = ask.nearby === 'never' ? NEVER : null;
      restores.push({ ...toRestore(ask, NOTHING, facts), facts });
      continue;
    }
    const first =
      ask.claimant === null ? undefined : past.byClaimant(ask.claimant).find((one) => isGivenAgain(one, ask));
    const candidates = pool.candidates(ask);
    const sighting = past.complete(ask, ask.sighting);
    // A decision closes taps. Its facts are from before.
    const facts = remembered(ask, sighting, candidates);
    if (first) {
      restores.push({ ...repeat(first, ask), facts });
      continue;
    }
    if (awaitsHeartbeat(ask, candidates, sighting)) {
      awaiting.add(ask.id);
      continue;
    }
    const wanted = decide(ask, candidates, sighting);
    const decision = ifSomebodyWaits(ask, wanted);
    if (!isSomething(decision) && !facts?.t && !ask.isFirst) continue;
    for (const closing of pool.close(decision, ask)) closings.set(closing.id, closing);
    const restore = toRestore(ask, decision, facts);
    const isGone = decision.taken.length < wanted.taken.length;
    restores.push({ ...restore, facts: facts && isGone ? { ...facts, g: 1 } : facts });
    past.add(restore);
  }
  return { restores, closings: [...closings.values()], awaiting };
}

const NOTHING: Decision = { matchType: null, taken: [], matches: [], verdicts: [], unseen: null };
const NEVER: Facts = { never: 1 };

/** Returns a name by which the claimant is recognised for a few seconds. Null when it cannot be identified. */
export function claimantOf(ask: Ask, device: Device | null) {
  const { appId, token, email, fingerprint, address } = ask;
  if (token !== null) return `${appId} token ${token.tapId}`;
  if (email !== null) return `${appId} email ${email}`;
  if (fingerprint === null || address === null) return null;
  if (hasSeveralPhones(ask, device)) return null;
  return `${appId} device ${fingerprint} ${address}`;
}

function remembered(ask: RestoreRequest, sighting: Sighting, candidates: readonly PendingLink[]): Facts | null {
  if (ask.nearby === undefined) return null;
  return ask.nearby === 'never' ? NEVER : factsOf(ask, sighting, candidates, ask.nearby);
}

/** Somebody may have copied the token. So when both requests name their device, it must be the same one. */
function isGivenAgain(restore: Restore, { appId, now, email, sighting }: RestoreRequest): boolean {
  if (restore.appId !== appId || restore.at > now || since(restore.at, now) >= seconds(REPLAY_SECONDS)) return false;
  const [before, asking] = [restore.device, sighting.device?.device ?? null];
  // Without a fingerprint, the email stands for the device.
  return before === asking || before === null || asking === null || before === email || asking === email;
}

/** Another device may claim the same answer: it has the same token, or the same email. */
const repeat = (first: Restore, ask: RestoreRequest): Omit<NewRestore, 'facts'> => ({
  ...first,
  ...requestOf(ask),
  linkIds: first.reply.matches.map(({ linkId }) => linkId),
  summary: summarizeRepeat(first, ask.now),
  considered: [],
  repeats: first.id,
});

/** Gives nothing when the caller no longer waits. A link in an answer that does not arrive would be lost for ever. */
function ifSomebodyWaits(ask: RestoreRequest, decision: Decision): Decision {
  if (decision.taken.length === 0 || !ask.expired()) return decision;
  const reason = 'nobody waited for the answer any more';
  const verdicts = decision.verdicts.map((verdict) => (verdict.taken ? { ...verdict, taken: false, reason } : verdict));
  return { matchType: null, taken: [], matches: [], verdicts, unseen: null };
}

const toRestore = (ask: RestoreRequest, decision: Decision, facts: Facts | null): Omit<NewRestore, 'facts'> => ({
  ...requestOf(ask),
  appId: ask.appId,
  claimant: ask.claimant,
  matchType: decision.matchType,
  code: codeOf(decision, ask, facts?.t !== undefined),
  pendingIds: decision.taken.map((row) => row.id),
  linkIds: isSomething(decision) ? [...new Set(decision.verdicts.map(({ row }) => row.linkId))] : null,
  summary: summarize(decision, ask),
  considered: considered(decision.verdicts),
  reply: { matches: decision.matches, awaitHeartbeat: false },
  repeats: null,
  releasedAt: null,
});

const requestOf = ({ id, now, sighting, email, address, platform, caller }: RestoreRequest) => ({
  id,
  at: now,
  device: sighting.device?.device ?? null,
  email,
  address,
  platform: namedPlatform({ platform }, sighting.device),
  keyId: caller?.keyId ?? null,
  client: caller?.client ?? null,
  requestId: caller?.requestId ?? null,
  sent: caller?.sent ?? null,
});
