// Brings a batch to its receiver, whatever it throws: waits for the infrastructure, halves the batch until the culprit
// stands alone, and gives that one up as a dead letter.
import { randomUUID } from 'node:crypto';
import type { DeadLetter, DeadLetterSink } from '../dead-letter.ts';
import type { Log } from '../log.ts';
import { Failed, NoAnswer } from '../port.ts';
import type { Life } from './life.ts';
import type { Delivered, Item, Receiver } from './receiver.ts';
import { endEarly } from './wait.ts';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const TOO_MANY_IN_A_ROW = 20;
const PAUSE_MS = 30_000;

export interface DeliverySettings {
  log: Log;
  life: Life;
  deadLetters: DeadLetterSink | undefined;
  isTransient: (error: unknown) => boolean;
  clock: () => number;
  attempts: number;
}

export interface DeliveryState {
  paused: boolean;
  retrying: boolean;
  deadLetters: number;
  dropped: number;
}

export interface Delivery {
  /** Resolves when nothing more is to be done for any of the batch; never rejects. */
  deliver(batch: Item[]): Promise<void>;
  readonly state: DeliveryState;
}

export function createDelivery(receiver: Receiver, settings: DeliverySettings): Delivery {
  const { log, life, clock, attempts } = settings;
  const state: DeliveryState = { paused: false, retrying: false, deadLetters: 0, dropped: 0 };
  const about = { message: receiver.message, group: receiver.group };
  let inARow = 0;

  async function deliver(batch: Item[]): Promise<void> {
    let left = wanted(batch);
    let tried = 0;
    let wait = FIRST_WAIT_MS;
    while (left.length > 0) {
      let delivered: Delivered | undefined;
      try {
        delivered = await receiver.call(left.map((item) => item.message));
      } catch (error) {
        if (settings.isTransient(error)) {
          if (life.aborted) return abandon(left, error);
          retrying(error);
          await life.rest(jittered(wait));
          wait = Math.min(wait * 2, LONGEST_WAIT_MS);
          left = wanted(left);
          continue;
        }
        state.retrying = false;
        if (left.length > 1) {
          const middle = left.length >> 1;
          await deliver(left.slice(0, middle));
          return deliver(left.slice(middle));
        }
        tried++;
        if (tried >= attempts) return giveUp(left[0]!, error, tried);
        await life.rest(jittered(FIRST_WAIT_MS * 2 ** (tried - 1)));
        continue;
      }
      passed();
      for (let i = 0; i < left.length; i++) {
        if (delivered === undefined)
          receiver.failed(left[i]!, new Failed(`${receiver.name}: wrong number of outcomes`));
        else receiver.done(left[i]!, i, delivered);
      }
      return;
    }
    state.retrying = false;
  }

  /** Commands run even when nobody waits any more; queries need not. */
  function wanted(batch: Item[]): Item[] {
    if (receiver.kind !== 'query') return batch;
    const left = batch.filter((item) => !item.wait.over);
    state.dropped += batch.length - left.length;
    return left;
  }

  function retrying(error: unknown) {
    if (!state.retrying)
      log.warn({ ...about, err: error }, 'infrastructure fails; the batch is tried again until it passes');
    state.retrying = true;
  }

  function passed() {
    if (state.retrying) log.info(about, 'infrastructure is back');
    state.retrying = false;
    inARow = 0;
  }

  /** The bus stops and the infrastructure is still away. */
  function abandon(batch: Item[], error: unknown): void {
    const ids = batch.map((item) => item.message.context.id);
    log.error({ ...about, err: error, ids }, 'stopped before these messages were done; nothing replays them');
    for (const { wait } of batch) endEarly(wait, new NoAnswer(`${receiver.name}: the bus stopped`));
  }

  async function giveUp(item: Item, error: unknown, tried: number): Promise<void> {
    const { data, context } = item.message;
    log.error({ ...about, err: error, id: context.id, attempts: tried }, 'gave up on a message');
    const failed = new Failed(`${receiver.name} failed`);
    // An asker is told at once; of a listener, the kept letter is what stands for the work.
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
    inARow++;
    await keep(letter);
    if (receiver.kind === 'listener') receiver.failed(item, failed);
    if (inARow >= TOO_MANY_IN_A_ROW) await pause();
  }

  async function keep(letter: DeadLetter): Promise<void> {
    if (settings.deadLetters === undefined) return;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await settings.deadLetters(letter);
      } catch (error) {
        const { data: _, ...rest } = letter;
        log.error({ ...rest, err: error, lost: life.aborted }, 'a dead letter could not be kept');
        if (life.aborted) return;
        await life.rest(jittered(wait));
      }
    }
  }

  async function pause(): Promise<void> {
    inARow = 0;
    if (life.state !== 'running') return;
    log.error({ ...about, seconds: PAUSE_MS / 1000 }, 'many dead letters in a row; the receiver rests');
    state.paused = true;
    await life.rest(PAUSE_MS);
    state.paused = false;
  }

  return { deliver, state };
}

/** Between half of it and all of it, so that receivers do not come back all at once. */
const jittered = (ms: number) => ms * (0.5 + Math.random() / 2);
