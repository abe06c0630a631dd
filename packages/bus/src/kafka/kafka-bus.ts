// The bus over Kafka: requests and events are records, answers come back over one topic, groups share the work.
import { createLife } from '../life.ts';
import { observeAsk, observeTell, silent } from '../observer.ts';
import { Busy, NoAnswer } from '../port.ts';
import type { AnyHandler, AnyListener, Watcher } from '../receiver.ts';
import { createClient } from './client.ts';
import type { KafkaBus, KafkaOptions } from './options.ts';
import { type BacklogWatch, openBacklogReader, watchBacklog } from './receiving/backlog.ts';
import { createGroup, type Group } from './receiving/group.ts';
import { createLagReader } from './receiving/lag.ts';
import { createLive, type Live } from './receiving/live.ts';
import { partitionOf } from './receiving/partition.ts';
import {
  type Arrived,
  type Reception,
  receiveEvents,
  receiveRequests,
  type Surroundings,
} from './receiving/receivers.ts';
import { createRegister } from './register.ts';
import { createOutbox, GRACE_MS } from './sending/outbox.ts';
import { names as createNames, REPLY_PARTITIONS } from './topics/names.ts';
import { ensureTopics, type Partitions } from './topics/topics.ts';
import { jsonOf, readHeaders } from './wire.ts';

/** A batch waits for its database so long before its partition rests. */
const PATIENCE_MS = 1_000;
/** Somebody waits for the answer. */
const AT_ONCE = { maxWaitTimeInMs: 500, minBytes: 1 };
/** Nobody waits for a listener: what comes within a moment is one fetch, and one transaction. */
const GATHERED = { maxWaitTimeInMs: 100, minBytes: 64 * 1024 };
const DRAIN_MS = 5_500;
const FLUSH_MS = 2_000;
/** Trouble that lasts shorter is nobody's business. */
const TROUBLE_MS = 3_000;

/** Besides the port's rules: `ask` and `tell` before the start and after the stop began reject with Busy. */
export function createKafkaBus(options: KafkaOptions): KafkaBus {
  const { service, instance, log, observer = silent, clock = Date.now, maxBatch = 500, attempts = 3 } = options;
  const names = createNames(options.prefix);
  const clientId = `landfall-${service}-${instance}`;
  const kafka = createClient(clientId, options.connection, log);
  const patient = createClient(clientId, options.connection, log, 'endless');
  const replyPartition = partitionOf(instance, REPLY_PARTITIONS);
  const life = createLife();
  const register = createRegister();
  const source = `/landfall/${service}`;
  const outbox = createOutbox({
    kafka,
    log,
    names,
    observer,
    source,
    replyPartition,
    clock,
    maxAsks: options.maxAsks ?? 200,
  });
  const { asks } = outbox;
  const lags = createLagReader(kafka, names);
  const backlogs: BacklogWatch[] = [];
  let groups: Group[] = [];
  let live: Live | undefined;
  let stopped: Promise<void> | undefined;

  const isTransient = (error: unknown) =>
    error instanceof Busy || error instanceof NoAnswer || (options.isTransient?.(error) ?? false);
  const around: Surroundings = { ...outbox, log, observer, graceMs: GRACE_MS };
  const settings = (group: string) => ({
    log,
    life,
    observer,
    clock,
    attempts,
    isTransient,
    patienceMs: PATIENCE_MS,
    deadLetters: (letter: { reason: string; attempts: number; at: Date }, { place }: Arrived) =>
      outbox.deadLetter(group, place, letter),
  });

  function openGroups(): Group[] {
    const requests = [...register.requestTopics()].map(([topic, ones]) => {
      const receptions = ones.map(({ to, handler, max }) =>
        receiveRequests(to, handler, topic, Math.min(max, maxBatch), settings(topic), around),
      );
      return openGroup(topic, [topic], receptions, ones[0]!.to.kind === 'command');
    });
    const listening = [...register.listeners()].map(([group, ones]) => {
      const receptions = ones.map(({ event, listener, max }) =>
        receiveEvents(event, listener, group, Math.min(max, maxBatch), settings(group), around),
      );
      return openGroup(group, [...new Set(ones.map(({ event }) => event.topic))], receptions, true, 'others');
    });
    return [...requests, ...listening];
  }

  /**
   * @param keeps whether what it gives up on is kept: nobody needs a query that was
   * @param others whether its topics may hold what is none of its business
   */
  function openGroup(
    group: string,
    topics: string[],
    receptions: Reception[],
    keeps: boolean,
    others?: 'others',
  ): Group {
    const own = new Set(topics.map(names.topic));
    const byMessage = new Map(receptions.map((one) => [one.receiver.message, one]));
    return createGroup({
      kafka: patient,
      log,
      groupId: names.group(group),
      topics: [...own, ...(keeps ? [names.retry(group)] : [])],
      receptions: byMessage,
      fetch: others === undefined ? AT_ONCE : GATHERED,
      othersIn: (topic) => others !== undefined && own.has(topic),
      maxBatch,
      commitMs: options.commitMs ?? 200,
      stuckMs: options.stuckMs ?? 60_000,
      onFatal: options.onFatal,
      async refuse(place, reason, { id, name, replyTo }) {
        log.error({ group, id, message: name, reason }, 'a message could not be read');
        if (replyTo) outbox.answer(replyTo, 'invalid', {});
        if (!keeps) return;
        observer.deadLetter(group, byMessage.has(name ?? '') ? name! : 'unknown');
        await outbox.deadLetter(group, place, { reason, attempts: 0, at: new Date(clock()) });
      },
    });
  }

  function openLive(partitions: Partitions): Live {
    const topics = new Set(register.allWatched().map(({ event }) => names.topic(event.topic)));
    return createLive({
      kafka,
      log,
      names,
      replyPartition,
      topics: new Map([...topics].map((topic) => [topic, partitions.get(topic)!])),
      seen({ batch: { topic, messages } }) {
        for (const message of messages) {
          if (topic === names.replies) {
            asks.answered(message);
            continue;
          }
          const watching = register.watched(readHeaders(message.headers).name ?? '');
          if (watching === undefined) continue;
          const data = watching.event.data.safeParse(jsonOf(message));
          for (const { seen, onGap } of watching.watchers) {
            if (data.success) seen(data.data);
            else onGap();
          }
        }
      },
      onGap() {
        for (const { watchers } of register.allWatched()) for (const { onGap } of watchers) onGap();
      },
    });
  }

  async function start(): Promise<void> {
    if (life.state !== 'new') throw new Error('the bus was started already');
    const wanted = register.topics(names, options.otherTopics ?? []);
    const partitions = await ensureTopics(kafka, wanted, options.topics, names, log);
    await outbox.connect(partitions);
    live = openLive(partitions);
    groups = openGroups();
    // A handler that runs at once may ask for something itself.
    life.state = 'running';
    await live.start();
    await Promise.all([...groups, ...backlogs].map((one) => one.start()));
  }

  /** Answers still arrive while those who wait for them are waited for; then the work is finished and everything is flushed. */
  async function stop(): Promise<void> {
    const ran = life.state === 'running';
    life.state = 'stopping';
    if (ran) {
      await within(DRAIN_MS, asks.idle());
      life.wake();
      await within(DRAIN_MS, Promise.all(groups.map((group) => group.stop())));
      if (!(await within(FLUSH_MS, outbox.idle()))) log.error({}, 'stopped with messages that were not acknowledged');
    }
    life.aborted = true;
    life.wake();
    await within(
      FLUSH_MS,
      Promise.all([live?.stop(), lags.stop(), ...backlogs.map((one) => one.stop()), outbox.disconnect()]),
    );
    life.state = 'stopped';
  }

  function troubles(): string[] {
    const said = [];
    const fetched = live?.silentMs() ?? 0;
    if (fetched > TROUBLE_MS) said.push(`nothing was fetched for ${seconds(fetched)}`);
    const stuck = outbox.stuckMs();
    if (stuck > TROUBLE_MS) said.push(`nothing could be sent for ${seconds(stuck)}`);
    for (const group of groups)
      if (group.silentMs() > 2 * TROUBLE_MS)
        said.push(`${group.groupId}: no word of its coordinator for ${seconds(group.silentMs())}`);
    return [...said, ...backlogs.flatMap((one) => one.trouble() ?? [])];
  }

  function onlyBeforeStart(name: string) {
    if (life.state !== 'new') throw new Error(`${name}: register before the start`);
  }

  const notRunning = (name: string) => new Busy(`${name}: the bus does not run`);

  return {
    ask: (to, input, given = {}) =>
      observeAsk(observer, to.name, to.kind, async () => {
        if (life.state !== 'running') throw notRunning(to.name);
        return outbox.ask(to, input, given);
      }) as Promise<never>,

    tell: (event, input, given = {}) =>
      observeTell(observer, event.name, async () => {
        if (life.state !== 'running') throw notRunning(event.name);
        await outbox.tell(event, input, given);
      }),

    answer(to, handler, { max = Number.POSITIVE_INFINITY } = {}) {
      onlyBeforeStart(to.name);
      register.answer({ to, handler: handler as unknown as AnyHandler, max });
    },

    listen(group, event, listener, { max = Number.POSITIVE_INFINITY } = {}) {
      onlyBeforeStart(event.name);
      register.listen(group, { event, listener: listener as unknown as AnyListener, max });
    },

    watch(event, seen, { onGap }) {
      onlyBeforeStart(event.name);
      const guarded: Watcher = (data) => {
        try {
          (seen as Watcher)(data);
        } catch (error) {
          log.error({ err: error, message: event.name }, 'a watcher threw');
        }
      };
      register.watch(event, { seen: guarded, onGap });
    },

    backlog(group, event, { limitMs }) {
      onlyBeforeStart(event.name);
      const reader = openBacklogReader(
        createClient(clientId, options.connection, log, 'none'),
        names.group(group),
        names.topic(event.topic),
      );
      const watch = watchBacklog(reader, limitMs, `${group}: ${event.topic}`, log);
      backlogs.push(watch);
      return watch;
    },

    start,
    stop() {
      stopped ??= stop();
      return stopped;
    },

    async health() {
      const receptions = groups.flatMap((group) => [...group.receptions.values()]);
      return {
        receivers: receptions.map(({ receiver: { name, group }, delivery: { state } }) => ({
          name,
          group,
          queued: 0,
          running: 0,
          ...state,
        })),
        lag: life.state === 'running' ? await lags.read(groups) : [],
        pendingAsks: asks.pending,
        troubles: troubles(),
      };
    },
  };
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

/** False when it did not end in time. */
function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  const done = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
