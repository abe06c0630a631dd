// State that all receivers of one bus share.

import { createDelivery } from '../delivery.ts';
import { createLifetime, type Lifetime } from '../lifetime.ts';
import type { Log } from '../log.ts';
import { type Observer, silent, traced } from '../observer.ts';
import { Busy, NoAnswer } from '../port.ts';
import type { Call, Receiver } from '../receiver.ts';
import type { Item } from './item.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { InProcessOptions, Redelivery } from './options.ts';
import { createRecording, type Recording } from './recording.ts';
import { redelivering } from './redelivery.ts';
import { createWorker } from './worker.ts';

export interface Core {
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly observer: Observer;
  readonly redelivery: Redelivery;
  readonly clock: () => number;
  /** Set only in mode `recorded`. */
  readonly recording: Recording | undefined;
  readonly violations: string[];
  /** Adds a receiver with its queue. `max` is the smallest of the requested batch sizes. */
  open(receiver: Omit<Receiver<Item>, 'call' | 'max'>, call: Call, max: number): Lanes;
  readonly receivers: readonly Lanes[];
}

export function createCore(options: InProcessOptions): Core {
  const { log, clock = Date.now, redelivery = 'none', queueSize = 1_000, maxBatch = 500, attempts = 3 } = options;
  const { lanes = 1, observer = silent } = options;
  const lifetime = createLifetime();
  const violations: string[] = [];
  const violated = (sentence: string) => {
    violations.push(sentence);
    log.error({ violation: sentence }, 'a handler is not idempotent');
  };
  const recording = redelivery === 'recorded' ? createRecording(violated) : undefined;
  const isTransient = (error: unknown) =>
    error instanceof Busy || error instanceof NoAnswer || (options.isTransient?.(error) ?? false);
  const patienceMs = Number.POSITIVE_INFINITY;
  const settings = {
    log,
    lifetime,
    observer,
    deadLetters: options.deadLetters,
    isTransient,
    clock,
    attempts,
    patienceMs,
  };
  const receivers: Lanes[] = [];

  function open(about: Omit<Receiver<Item>, 'call' | 'max'>, call: Call, max: number): Lanes {
    const largest = Math.max(1, Math.min(max, maxBatch));
    const { mode, size } = planned(about.kind === 'query' ? 'none' : redelivery, largest);
    const redelivered = redelivering(mode, about.name, call, isTransient, violated);
    const receiver: Receiver<Item> = {
      ...about,
      max: size,
      call: (items) => traced(observer, about, items, () => redelivered(items.map((item) => item.message))),
    };
    const workers = Array.from({ length: lanes }, () =>
      createWorker(receiver, createDelivery(receiver, settings), lifetime),
    );
    const opened = createLanes(receiver, workers, queueSize);
    receivers.push(opened);
    return opened;
  }

  return { log, lifetime, observer, redelivery, clock, recording, violations, open, receivers };
}

/**
 * Plans the redelivery mode and the batch size. A doubled batch must not be larger than the handler allows. If the
 * handler allows only one message, the second copy comes in a second call.
 */
function planned(mode: Redelivery, largest: number): { mode: Redelivery; size: number } {
  if (mode !== 'doubled') return { mode, size: largest };
  return largest === 1 ? { mode: 'again', size: 1 } : { mode, size: largest >> 1 };
}
