// The bus over Kafka: requests and events are records, answers come back over one topic, groups share the work.
import { randomUUID } from 'node:crypto';
import { type EventDef, events, type RequestDef, requests } from '@landfall/contracts';
import { InvalidInput, parsed, wrongId } from '../invalid-input.ts';
import { createLife } from '../life.ts';
import { observeAsk, observeTell, silent } from '../observer.ts';
import { Busy, NoAnswer, type Told } from '../port.ts';
import type { AnyHandler, AnyListener, AnyMessage, Watcher } from '../receiver.ts';
import { eventId } from '../uuid5.ts';
import { createAsks } from './asks.ts';
import { createClient } from './client.ts';
import { deadRecord } from './dead-letters.ts';
import { createGroup, type Group } from './group.ts';
import { createLagReader } from './lag.ts';
import { createLive, type Live } from './live.ts';
import { names as createNames, REPLY_PARTITIONS } from './names.ts';
import type { KafkaBus, KafkaOptions } from './options.ts';
import { partitionOf } from './partition.ts';
import {
  type Arrived,
  type Place,
  type Reception,
  receiveEvents,
  receiveRequests,
  type Surroundings,
} from './receivers.ts';
import { createSender, type Sending } from './sender.ts';
import { ensureTopics, type Partitions, type TopicKind } from './topics.ts';
import { type AnswerKind, answerHeaders, headersOf, jsonOf, type ReplyTo, readHeaders } from './wire.ts';

const COMMAND_MS = 5_000;
const QUERY_MS = 2_000;
const TELL_MS = 5_000;
/** Clocks of two machines may differ by so much. */
const GRACE_MS = 2_000;
/** A batch waits for its database so long before its partition rests. */
const PATIENCE_MS = 1_000;
const DRAIN_MS = 5_500;
const FLUSH_MS = 2_000;
/** What may wait to be sent. */
const CAPACITY = 5_000;
/** Trouble that lasts shorter is nobody's business. */
const TROUBLE_MS = 3_000;

/** Besides the port's rules: `ask` and `tell` before the start and after the stop began reject with Busy. */
export function createKafkaBus(options: KafkaOptions): KafkaBus {
  const { service, instance, log, observer = silent, clock = Date.now, maxBatch = 500, attempts = 3 } = options;
  const names = createNames(options.prefix);
  const clientId = `landfall-${service}-${instance}`;
  const kafka = createClient(clientId, options.connection, log);
  const patient = createClient(clientId, options.connection, log, 'endless');
  const source = `/landfall/${service}`;
  const replyPartition = partitionOf(instance, REPLY_PARTITIONS);
  const life = createLife();
  // Commands and events must not be lost; who waits for a query or an answer learns by itself that it was.
  const durable = createSender({ kafka, log, name: 'commands and events', durable: true, capacity: CAPACITY });
  const light = createSender({ kafka, log, name: 'queries and answers', durable: false, capacity: CAPACITY });
  const asks = createAsks(options.maxAsks ?? 200);
  const lags = createLagReader(kafka, names);

  const handlers = new Map<string, { to: RequestDef; handler: AnyHandler; max: number }>();
  const listeners = new Map<string, Map<string, { event: EventDef; listener: AnyListener; max: number }>>();
  const watched = new Map<string, { event: EventDef; watchers: { seen: Watcher; onGap(): void }[] }>();
  let groups: Group[] = [];
  let live: Live | undefined;
  let partitions: Partitions = new Map();
  let stopped: Promise<void> | undefined;

  const around: Surroundings = { log, observer, graceMs: GRACE_MS, answer, tellOfCommit };

  function ask(to: RequestDef, input: object, { timeoutMs, id = randomUUID() }: { timeoutMs?: number; id?: string }) {
    if (life.state !== 'running') throw new Busy(`${to.name}: the bus does not run`);
    const data = wrongId(to.name, id) ?? parsed(to.name, to.input, input);
    if (data instanceof InvalidInput) throw data;
    const asked = to.topic.slice(0, to.topic.indexOf('.'));
    const sender = to.kind === 'query' ? light : durable;
    if (asks.full(asked) || sender.full()) throw new Busy(`${to.name}: too many wait`);
    const wait = timeoutMs ?? (to.kind === 'query' ? QUERY_MS : COMMAND_MS);
    const deadline = Date.now() + wait;
    const replyTo = { correlation: randomUUID(), partition: replyPartition, deadline };
    const key = to.key(data, id);
    return asks.wait(to, asked, replyTo.correlation, wait, () =>
      record(sender, to.topic, { name: to.name, id, time: clock(), key, replyTo }, data, deadline),
    );
  }

  function record(
    sender: typeof durable,
    plainTopic: string,
    about: { name: string; id: string; time: number; key: string; replyTo?: ReplyTo },
    data: object,
    deadline?: number,
  ): Sending {
    const topic = names.topic(plainTopic);
    const partition = partitionOf(about.key, partitions.get(topic) ?? options.topics.partitions);
    const trace = observer.traceHeaders();
    const headers = headersOf({ ...about, source, ...(trace && { trace }) });
    return sender.send({
      topic,
      partition,
      key: about.key,
      value: JSON.stringify(data),
      headers,
      ...(deadline && { deadline }),
    });
  }

  async function tell(
    event: EventDef,
    input: object,
    { id = randomUUID(), now, timeoutMs = TELL_MS }: { id?: string; now?: Date; timeoutMs?: number },
  ) {
    if (life.state !== 'running') throw new Busy(`${event.name}: the bus does not run`);
    const data = wrongId(event.name, id) ?? parsed(event.name, event.data, input);
    if (data instanceof InvalidInput) throw data;
    if (durable.full()) throw new Busy(`${event.name}: too many wait`);
    const about = { name: event.name, id, time: now?.getTime() ?? clock(), key: event.key(data, id) };
    const sending = record(durable, event.topic, about, data);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (sending.withdraw()) reject(new Busy(`${event.name}: it could not be sent within ${timeoutMs} ms`));
        else reject(new NoAnswer(`${event.name}: not acknowledged within ${timeoutMs} ms`));
      }, timeoutMs);
    });
    sending.acknowledged.catch(() => {});
    try {
      await Promise.race([sending.acknowledged, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The commit is done: whatever is wrong with an event now is logged. */
  async function tellOfCommit({ event, data: told }: Told, { context }: AnyMessage, index: number): Promise<void> {
    const { id, now } = context;
    const data = parsed(event.name, event.data, told);
    if (data instanceof InvalidInput)
      return log.error({ err: data, message: event.name, id }, 'an event of a commit does not fit its contract');
    const about = { name: event.name, id: eventId(id, event.name, index), time: now.getTime() };
    await record(durable, event.topic, { ...about, key: event.key(data, about.id) }, data).acknowledged;
  }

  function answer({ correlation, partition, deadline }: ReplyTo, kind: AnswerKind, body: object): void {
    if (!(partition >= 0 && partition < REPLY_PARTITIONS)) return;
    const headers = answerHeaders(correlation, kind);
    const until = deadline + GRACE_MS;
    const value = JSON.stringify(body);
    light
      .send({ topic: names.replies, partition, key: null, value, headers, deadline: until })
      .acknowledged.catch(() => {});
  }

  const isTransient = (error: unknown) =>
    error instanceof Busy || error instanceof NoAnswer || (options.isTransient?.(error) ?? false);

  function deadLetter(group: string, place: Place, reason: string, tries: number, at: Date): Promise<void> {
    const count = partitions.get(names.dead(group)) ?? options.topics.partitions;
    return durable.send(deadRecord(names, group, place, place.partition % count, { reason, attempts: tries, at }))
      .acknowledged;
  }

  const settings = (group: string) => ({
    log,
    life,
    observer,
    clock,
    attempts,
    isTransient,
    patienceMs: PATIENCE_MS,
    deadLetters: (
      { reason, attempts: tries, at }: { reason: string; attempts: number; at: Date },
      { place }: Arrived,
    ) => deadLetter(group, place, reason, tries, at),
  });

  function openGroups(): Group[] {
    const opened: Group[] = [];
    const eventTopics = new Set(
      [...listeners.values()].flatMap((ones) => [...ones.values()].map(({ event }) => names.topic(event.topic))),
    );
    const open = (group: string, topics: string[], receptions: Map<string, Reception>, kept: boolean) => {
      opened.push(
        createGroup({
          kafka: patient,
          log,
          groupId: names.group(group),
          topics: [...topics.map(names.topic), ...(kept ? [names.retry(group)] : [])],
          receptions,
          // Where events lie, another one is somebody else's; where requests lie, it is one that we should know.
          othersIn: (topic) => eventTopics.has(topic),
          maxBatch,
          commitMs: options.commitMs ?? 200,
          stuckMs: options.stuckMs ?? 60_000,
          onFatal: options.onFatal,
          async refuse(place, reason, replyTo) {
            const { id, name } = readHeaders(place.raw.headers);
            log.error({ group, id, message: name, reason }, 'a message could not be read');
            if (replyTo) answer(replyTo, 'invalid', {});
            if (!kept) return;
            observer.deadLetter(group, receptions.has(name ?? '') ? name! : 'unknown');
            await deadLetter(group, place, reason, 0, new Date(clock()));
          },
        }),
      );
    };
    for (const [topic, ones] of Map.groupBy(handlers.values(), ({ to }) => to.topic)) {
      const receptions = ones.map(({ to, handler, max }) =>
        receiveRequests(to, handler, topic, Math.min(max, maxBatch), settings(topic), around),
      );
      open(topic, [topic], byName(receptions), ones[0]!.to.kind === 'command');
    }
    for (const [group, ones] of listeners) {
      const receptions = [...ones.values()].map(({ event, listener, max }) =>
        receiveEvents(event, listener, group, Math.min(max, maxBatch), settings(group), around),
      );
      open(
        group,
        [...ones.values()].map(({ event }) => event.topic),
        byName(receptions),
        true,
      );
    }
    return opened;
  }

  function wantedTopics(): Map<string, TopicKind> {
    const wanted = new Map<string, TopicKind>([[names.replies, 'replies']]);
    const kindOf = (to: RequestDef): TopicKind => (to.kind === 'query' ? 'queries' : 'commands');
    for (const to of [...requests, ...[...handlers.values()].map((one) => one.to)])
      wanted.set(names.topic(to.topic), kindOf(to));
    const told = [
      ...events,
      ...[...listeners.values()].flatMap((ones) => [...ones.values()].map((one) => one.event)),
      ...[...watched.values()].map((one) => one.event),
    ];
    for (const event of told) wanted.set(names.topic(event.topic), 'events');
    for (const topic of options.otherTopics ?? [])
      if (!wanted.has(names.topic(topic))) wanted.set(names.topic(topic), 'events');
    const owners = [
      ...[...handlers.values()].filter(({ to }) => to.kind === 'command').map(({ to }) => to.topic),
      ...listeners.keys(),
    ];
    for (const group of owners) {
      wanted.set(names.dead(group), 'dead');
      wanted.set(names.retry(group), 'retry');
    }
    return wanted;
  }

  function openLive(): Live {
    const topics = new Set([...watched.values()].map(({ event }) => names.topic(event.topic)));
    return createLive({
      kafka,
      log,
      names,
      replyPartition,
      topics: new Map([...topics].map((topic) => [topic, partitions.get(topic)!])),
      seen({ batch: { topic, messages } }) {
        if (topic === names.replies) {
          for (const message of messages) asks.answered(message);
          return;
        }
        for (const message of messages) {
          const one = watched.get(readHeaders(message.headers).name ?? '');
          if (one === undefined) continue;
          const { event, watchers } = one;
          const data = event.data.safeParse(jsonOf(message));
          if (data.success) for (const { seen } of watchers) seen(data.data);
          else for (const { onGap } of watchers) onGap();
        }
      },
      onGap() {
        for (const { watchers } of watched.values()) for (const { onGap } of watchers) onGap();
      },
    });
  }

  async function start(): Promise<void> {
    if (life.state !== 'new') throw new Error('the bus was started already');
    partitions = await ensureTopics(kafka, wantedTopics(), options.topics, names, log);
    await Promise.all([durable.connect(), light.connect()]);
    live = openLive();
    groups = openGroups();
    // Whoever handles a message at once may ask for something itself.
    life.state = 'running';
    await live.start();
    await Promise.all(groups.map((group) => group.start()));
  }

  /** Answers still arrive while those who wait for them are waited for; then the work is finished and everything is flushed. */
  async function stop(): Promise<void> {
    const ran = life.state === 'running';
    life.state = 'stopping';
    if (ran) {
      await within(DRAIN_MS, asks.idle());
      life.wake();
      await within(DRAIN_MS, Promise.all(groups.map((group) => group.stop())));
      if (!(await within(FLUSH_MS, Promise.all([durable.idle(), light.idle()]))))
        log.error({}, 'stopped with messages that were not acknowledged');
    }
    life.aborted = true;
    life.wake();
    await within(FLUSH_MS, Promise.all([live?.stop(), lags.stop(), durable.disconnect(), light.disconnect()]));
    life.state = 'stopped';
  }

  return {
    ask: (to, input, given = {}) =>
      observeAsk(observer, to.name, to.kind, async () => ask(to, input, given)) as Promise<never>,
    tell: (event, input, given = {}) => observeTell(observer, event.name, () => tell(event, input, given)),

    answer(to, handler, { max = Number.POSITIVE_INFINITY } = {}) {
      onlyBeforeStart(to.name);
      if (handlers.has(to.name)) throw new Error(`${to.name} has a handler already`);
      handlers.set(to.name, { to, handler: handler as unknown as AnyHandler, max });
    },

    listen(group, event, listener, { max = Number.POSITIVE_INFINITY } = {}) {
      onlyBeforeStart(event.name);
      const ones = listeners.get(group) ?? new Map();
      if (ones.has(event.name)) throw new Error(`${group} already listens to ${event.name}`);
      listeners.set(group, ones.set(event.name, { event, listener: listener as unknown as AnyListener, max }));
    },

    watch(event, seen, { onGap }) {
      onlyBeforeStart(event.name);
      const one = watched.get(event.name) ?? { event, watchers: [] };
      watched.set(event.name, one);
      one.watchers.push({ seen: guarded(event.name, seen as Watcher), onGap });
    },

    start,
    stop() {
      stopped ??= stop();
      return stopped;
    },

    async health() {
      const troubles = [
        ...(live !== undefined && live.silentMs() > TROUBLE_MS
          ? [`nothing was fetched for ${seconds(live.silentMs())}`]
          : []),
        ...[durable, light]
          .filter((sender) => sender.stuckMs() > TROUBLE_MS)
          .map((sender) => `nothing could be sent for ${seconds(sender.stuckMs())}`),
        ...groups
          .filter((group) => group.silentMs() > TROUBLE_MS * 2)
          .map((group) => `${group.groupId}: no word of its coordinator for ${seconds(group.silentMs())}`),
      ];
      const receivers = groups.flatMap((group) =>
        [...group.receptions.values()].map(({ receiver: { name, group: owner }, delivery: { state } }) => ({
          name,
          group: owner,
          queued: 0,
          running: 0,
          ...state,
        })),
      );
      const lag = life.state === 'running' ? await lags.read(groups) : [];
      return { receivers, lag, pendingAsks: asks.pending, troubles };
    },
  };

  function onlyBeforeStart(name: string) {
    if (life.state !== 'new') throw new Error(`${name}: register before the start`);
  }

  function guarded(name: string, seen: Watcher): Watcher {
    return (data) => {
      try {
        seen(data);
      } catch (error) {
        log.error({ err: error, message: name }, 'a watcher threw');
      }
    };
  }
}

const byName = (receptions: readonly Reception[]) => new Map(receptions.map((one) => [one.receiver.message, one]));
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
