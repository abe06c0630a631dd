// The bus over Kafka: requests and events are records, answers come over one topic, the members of a group share work.
import pTimeout from 'p-timeout';
import { createLifetime } from '../lifetime.ts';
import { observeAsk, observeTell, silent } from '../observer.ts';
import { Busy } from '../port.ts';
import { type AnyHandler, type AnyListener, guarded, type Watcher } from '../receiver.ts';
import { createClient } from './client.ts';
import type { KafkaBus, KafkaOptions } from './options.ts';
import { type BacklogWatch, openBacklogReader, watchBacklog } from './receiving/backlog.ts';
import type { Group } from './receiving/group.ts';
import { createLagReader } from './receiving/lag.ts';
import type { Live } from './receiving/live.ts';
import { openGroups, openLive, type ReceivingParts } from './receiving/open.ts';
import { createRegister } from './register.ts';
import { createOutbox } from './sending/outbox.ts';
import { names as createNames, partitionOf, REPLY_PARTITIONS } from './topics/names.ts';
import { ensureTopics } from './topics/topics.ts';

const DRAIN_MS = 5_500;
const FLUSH_MS = 2_000;
/** Milliseconds. The bus does not report trouble that lasts less than this time. */
const TROUBLE_MS = 3_000;

/** `ask` and `tell` also reject with Busy before the start and after the stop began. */
export function createKafkaBus(options: KafkaOptions): KafkaBus {
  const { service, instance, log, observer = silent, clock = Date.now } = options;
  const names = createNames(options.prefix);
  const clientId = `landfall-${service}-${instance}`;
  const kafka = createClient(clientId, options.connection, log);
  const patient = createClient(clientId, options.connection, log, 'endless');
  const replyPartition = partitionOf(instance, REPLY_PARTITIONS);
  const lifetime = createLifetime();
  const register = createRegister();
  const source = `/landfall/${service}`;
  const outbox = createOutbox({ kafka, log, names, observer, source, replyPartition, clock });
  const { asks } = outbox;
  const own = { names, lifetime, register, outbox, observer, clock, replyPartition };
  const parts: ReceivingParts = { options, kafka, patient, ...own };
  const lags = createLagReader(kafka, names);
  const backlogs: BacklogWatch[] = [];
  let groups: Group[] = [];
  let live: Live | undefined;
  let stopped: Promise<void> | undefined;

  async function start(): Promise<void> {
    if (lifetime.state !== 'new') throw new Error('the bus was started already');
    const wanted = register.topics(names, options.otherTopics ?? []);
    const partitions = await ensureTopics(kafka, wanted, options.topics, names, log);
    await outbox.connect(partitions);
    live = openLive(parts, partitions);
    groups = openGroups(parts);
    // A handler may run at once and send a request itself.
    lifetime.state = 'running';
    await live.start();
    await Promise.all([...groups, ...backlogs].map((one) => one.start()));
  }

  /** First waits for the open requests of this process, then finishes the work and flushes all messages. */
  async function stop(): Promise<void> {
    const ran = lifetime.state === 'running';
    lifetime.state = 'stopping';
    if (ran) {
      await within(DRAIN_MS, asks.idle());
      lifetime.wake();
      await within(DRAIN_MS, Promise.all([...groups.map((group) => group.stop()), lifetime.idle()]));
      if (!(await within(FLUSH_MS, outbox.idle()))) log.error({}, 'stopped with messages that were not acknowledged');
    }
    lifetime.aborted = true;
    lifetime.wake();
    await within(
      FLUSH_MS,
      Promise.all([live?.stop(), lags.close(), ...backlogs.map((one) => one.stop()), outbox.disconnect()]),
    );
    lifetime.state = 'stopped';
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
    if (lifetime.state !== 'new') throw new Error(`${name}: register before the start`);
  }

  const notRunning = (name: string) => new Busy(`${name}: the bus does not run`);

  return {
    ask: (to, input, given = {}) =>
      observeAsk(observer, to.name, to.kind, async () => {
        if (lifetime.state !== 'running') throw notRunning(to.name);
        return outbox.ask(to, input, given);
      }) as Promise<never>,

    tell: (event, input, given = {}) =>
      observeTell(observer, event.name, async () => {
        if (lifetime.state !== 'running') throw notRunning(event.name);
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
      register.watch(event, { seen: guarded(seen as Watcher, event.name, log), onGap });
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

    health() {
      const receptions = groups.flatMap((group) => [...group.receptions.values()]);
      return {
        receivers: receptions.map(({ receiver: { name, group }, delivery: { state } }) => ({
          name,
          group,
          queued: 0,
          running: 0,
          ...state,
        })),
        pendingAsks: asks.pending,
        troubles: troubles(),
      };
    },
    lag: async () => (lifetime.state === 'running' ? lags.read(groups) : []),
  };
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

const within = (milliseconds: number, promise: Promise<unknown>): Promise<boolean> =>
  pTimeout(
    promise.catch(() => {}).then(() => true),
    { milliseconds, fallback: () => false },
  );
