// Delivers a batch to its receiver. Waits while the infrastructure fails, and hands the rest back when that takes too
// long. Halves a failing batch until the failing message is alone, and makes this message a dead letter.
import { randomUUID } from 'node:crypto';
import type { DeadLetter } from '@landfall/contracts';
import type { Lifetime } from './lifetime.ts';
import type { HandleOutcome, Log, Observer, ReceiverHealth } from './observer.ts';
import { Busy, Failed, NoAnswer } from './port.ts';
import type { AnyOutcome, Carried, Receiver } from './receiver.ts';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const TOO_MANY_IN_A_ROW = 20;
/** Milliseconds that a receiver rests after many dead letters in a row. */
export const PAUSE_MS = 30_000;

export interface DeliverySettings<I extends Carried> {
  log: Log;
  lifetime: Lifetime;
  observer: Observer;
  deadLetters: ((letter: DeadLetter, item: I) => Promise<void>) | undefined;
  isTransient: ((error: unknown) => boolean) | undefined;
  clock: () => number;
  /** 3 when left out. */
  attempts?: number | undefined;
  /** Milliseconds that a batch may wait for the infrastructure or pause, before the rest of it is handed back. */
  patienceMs: number;
}

type DeliveryState = Pick<ReceiverHealth, 'paused' | 'retrying' | 'deadLetters' | 'dropped'>;

export interface Delivery<I extends Carried> {
  /** Resolves with the messages that the caller must deliver again, in order. Never rejects. */
  deliver(batch: readonly I[]): Promise<readonly I[]>;
  readonly state: Readonly<DeliveryState>;
}

export function createDelivery<I extends Carried>(receiver: Receiver<I>, settings: DeliverySettings<I>): Delivery<I> {
  const { log, lifetime, observer, clock, attempts = 3, patienceMs } = settings;
  const state: DeliveryState = { paused: false, retrying: false, deadLetters: 0, dropped: 0 };
  const about = { message: receiver.message, group: receiver.group };
  let inARow = 0;
  const isTransient = (error: unknown) =>
    error instanceof Busy || error instanceof NoAnswer || (settings.isTransient?.(error) ?? false);

  async function deliver(batch: readonly I[]): Promise<readonly I[]> {
    state.paused = false;
    let left = wanted(batch);
    let tried = 0;
    let waited = 0;
    let wait = FIRST_WAIT_MS;
    while (left.length > 0) {
      let outcomes: readonly AnyOutcome[] | undefined;
      try {
        outcomes = await observed(left);
      } catch (error) {
        if (isTransient(error)) {
          if (lifetime.aborted) return abandon(left, error);
          retrying(error);
          if (waited >= patienceMs) return left;
          await lifetime.rest(jittered(wait));
          waited += wait;
          wait = Math.min(wait * 2, LONGEST_WAIT_MS);
          left = wanted(left);
          continue;
        }
        state.retrying = false;
        if (left.length > 1) {
          const middle = left.length >> 1;
          const later = left.slice(middle);
          const again = await deliver(left.slice(0, middle));
          return again.length > 0 || state.paused ? [...again, ...later] : deliver(later);
        }
        tried++;
        if (tried < attempts) {
          await lifetime.rest(jittered(FIRST_WAIT_MS * 2 ** (tried - 1)));
          continue;
        }
        await giveUp(left[0]!, error, tried);
        return [];
      }
      passed();
      for (let i = 0; i < left.length; i++) {
        if (outcomes === undefined) receiver.failed(left[i]!, new Failed(`${receiver.name}: wrong number of outcomes`));
        else receiver.done(left[i]!, outcomes[i]);
      }
      return [];
    }
    state.retrying = false;
    return [];
  }

  async function observed(items: readonly I[]): Promise<readonly AnyOutcome[] | undefined> {
    const started = performance.now();
    let outcome: HandleOutcome = 'done';
    try {
      return await receiver.call(items);
    } catch (error) {
      outcome = isTransient(error) ? 'retried' : 'failed';
      throw error;
    } finally {
      const { message, group, kind } = receiver;
      observer.handled({ message, group, kind, size: items.length }, outcome, performance.now() - started);
    }
  }

  /** A command runs even when no caller waits for it. A query without a waiting caller is dropped. */
  function wanted(batch: readonly I[]): readonly I[] {
    if (receiver.kind !== 'query') return batch;
    const left = batch.filter((item) => !receiver.stale(item));
    state.dropped += batch.length - left.length;
    return left;
  }

  function retrying(error: unknown) {
    if (!state.retrying)
      log.warn({ ...about, err: error }, 'the infrastructure fails: the batch is retried until it succeeds');
    state.retrying = true;
  }

  function passed() {
    if (state.retrying) log.info(about, 'the infrastructure works again');
    state.retrying = false;
    inARow = 0;
  }

  /** Ends a batch when the bus stops and the infrastructure still fails. */
  function abandon(batch: readonly I[], error: unknown): readonly I[] {
    const ids = batch.map((item) => item.message.context.id);
    log.error({ ...about, err: error, ids }, 'stopped before these messages were done; nothing replays them');
    for (const item of batch) receiver.abandoned(item, new NoAnswer(`${receiver.name}: the bus stopped`));
    return [];
  }

  async function giveUp(item: I, error: unknown, tried: number): Promise<void> {
    const { data, context } = item.message;
    log.error({ ...about, err: error, id: context.id, attempts: tried }, 'a message became a dead letter');
    const failed = new Failed(`${receiver.name} failed`);
    // A caller gets the failure at once. For a listener, the failure is reported only after the dead letter is stored.
    if (receiver.kind !== 'listener') receiver.failed(item, failed);
    if (receiver.kind === 'query') return;
    const letter: DeadLetter = {
      id: randomUUID(),
      ...about,
      key: receiver.key(item.message),
      data,
      reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      attempts: tried,
      messageId: context.id,
      at: new Date(clock()),
    };
    state.deadLetters++;
    observer.deadLetter(receiver.group, receiver.message);
    inARow++;
    await keep(letter, item);
    if (receiver.kind === 'listener') receiver.failed(item, failed);
    if (inARow >= TOO_MANY_IN_A_ROW) await pause();
  }

  async function keep(letter: DeadLetter, item: I): Promise<void> {
    if (settings.deadLetters === undefined) return;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await settings.deadLetters(letter, item);
      } catch (error) {
        const { data: _, ...rest } = letter;
        log.error({ ...rest, err: error, lost: lifetime.aborted }, 'a dead letter could not be kept');
        if (lifetime.aborted) return;
        await lifetime.rest(jittered(wait));
      }
    }
  }

  async function pause(): Promise<void> {
    inARow = 0;
    if (lifetime.state !== 'running') return;
    log.error({ ...about, seconds: PAUSE_MS / 1000 }, 'too many dead letters in a row: the receiver pauses');
    state.paused = true;
    // A caller with less patience pauses by itself, and delivers the remaining messages again afterwards.
    if (patienceMs < PAUSE_MS) return;
    await lifetime.rest(PAUSE_MS);
    state.paused = false;
  }

  return { deliver, state };
}

/** Returns a random time between half of `ms` and all of it, so that receivers do not retry at the same moment. */
const jittered = (ms: number) => ms * (0.5 + Math.random() / 2);
