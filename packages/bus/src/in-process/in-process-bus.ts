// The bus within one process. It behaves like the bus over Kafka, with queues in memory.
import { type EventDef, newId, type RequestDef } from '@landfall/contracts';
import { eventId } from '../context.ts';
import { InvalidInput, parsed } from '../invalid-input.ts';
import { observeAsk, observeTell } from '../observer.ts';
import { Busy, type EventToTell, Failed } from '../port.ts';
import type { AnyHandler, AnyListener, Watcher } from '../receiver.ts';
import { type Channel, createChannel } from './channel.ts';
import { type Core, createCore, type InProcessBus, type InProcessOptions } from './core.ts';
import { createPost, type Post } from './post.ts';
import { failWait, type Item } from './wait.ts';

const DRAIN_MS = 8_000;
const LAST_WORDS_MS = 500;

/**
 * Beyond the port's rules: a wrong input rejects with InvalidInput. `ask` and `tell` reject with Busy while the bus
 * does not run, `ask` also when nobody answers. `start` rejects when an expected handler is missing.
 */
export function createInProcessBus(options: InProcessOptions): InProcessBus {
  const core = createCore(options);
  const { lifetime, clock, observer } = core;
  const posts = new Map<string, Post>();
  const channels = new Map<string, Channel>();
  let stopped: Promise<void> | undefined;

  const bus: InProcessBus = {
    ask(to, input, { timeoutMs, id } = {}) {
      return observeAsk(observer, to.name, to.kind, () => {
        const post = posts.get(to.name);
        if (lifetime.state !== 'running') return Promise.reject(new Busy(`${to.name}: the bus does not run`));
        if (post === undefined) return Promise.reject(new Busy(`${to.name}: nobody answers it`));
        const data = post.read(input, id);
        if (data instanceof InvalidInput) return Promise.reject(data);
        if (post.full()) return Promise.reject(new Busy(`${to.name}: too many wait`));
        return post.send(data, id ?? newId(), clock(), timeoutMs) as Promise<never>;
      });
    },

    tell(event, input, { id, now, timeoutMs } = {}) {
      return observeTell(observer, event.name, () => {
        if (lifetime.state !== 'running') return Promise.reject(new Busy(`${event.name}: the bus does not run`));
        const channel = channelOf(event);
        const data = channel.read(input, id);
        if (data instanceof InvalidInput) return Promise.reject(data);
        if (channel.full()) return Promise.reject(new Busy(`${event.name}: too many wait`));
        return channel.tell(data, id ?? newId(), now?.getTime() ?? clock(), timeoutMs);
      });
    },

    answer(to, handler, { max = Number.POSITIVE_INFINITY } = {}) {
      onlyBeforeStart(to.name);
      if (posts.has(to.name)) throw new Error(`${to.name} has a handler already`);
      posts.set(to.name, createPost(to, handler as unknown as AnyHandler, max, core, tellOfCommit));
    },

    listen(group, event, listener, { max = Number.POSITIVE_INFINITY } = {}) {
      onlyBeforeStart(event.name);
      channelOf(event).listen(group, listener as unknown as AnyListener, max);
    },

    watch(event, seen) {
      onlyBeforeStart(event.name);
      // A process misses no events of its own, so the bus never calls onGap.
      channelOf(event).watch(seen as Watcher);
    },

    backlog(group, event, { limitMs }) {
      onlyBeforeStart(event.name);
      const channel = channelOf(event);
      return { late: () => channel.waitedMs(group) > limitMs };
    },

    async start() {
      if (lifetime.state !== 'new') throw new Error('the bus was started already');
      const missing = (options.expects ?? []).filter((to: RequestDef) => !posts.has(to.name)).map((to) => to.name);
      if (missing.length > 0) throw new Error(`nobody answers ${missing.join(', ')}`);
      lifetime.state = 'running';
    },

    stop() {
      stopped ??= drain(core);
      return stopped;
    },

    async redeliver({ group, message, messageId, data: input }) {
      if (lifetime.state !== 'running') throw new Busy(`${message}: the bus does not run`);
      const post = posts.get(message);
      const channel = channels.get(message);
      const schema = post?.schema ?? (channel?.has(group) ? channel.schema : undefined);
      if (schema === undefined) throw new Failed(`${message}: nobody in ${group} handles it any more`);
      const data = parsed(message, schema, input);
      if (data instanceof InvalidInput) throw data;
      if (post) await post.send(data, messageId, clock());
      else await channel!.redeliver(group, data, messageId, clock());
    },

    idle: () => lifetime.idle(),
    health() {
      const receivers = core.receivers.map((receiver) => receiver.health());
      const pendingAsks = receivers.reduce((sum, { queued, running }) => sum + queued + running, 0);
      return { receivers, pendingAsks, troubles: [] };
    },
  };
  return bus;

  function channelOf(event: EventDef): Channel {
    const channel = channels.get(event.name) ?? createChannel(event, core);
    channels.set(event.name, channel);
    return channel;
  }

  /** Publishes an event of a commit, which is done: a faulty event is logged, and the caller gets Failed. */
  function tellOfCommit({ event, data: told, at }: EventToTell, { message, wait }: Item, index: number) {
    const channel = channelOf(event);
    const data = channel.read(told as object);
    const { id, now } = message.context;
    if (data instanceof InvalidInput) {
      core.log.error({ err: data, message: event.name, id }, 'an event of a commit does not fit its contract');
      return failWait(wait, new Failed(data.message));
    }
    channel.spread(data, () => eventId(id, event.name, index), (at ?? now).getTime(), wait, false);
  }

  function onlyBeforeStart(name: string) {
    if (lifetime.state !== 'new') throw new Error(`${name}: register before the start`);
  }
}

/** Finishes the accepted messages. After 8 s nothing is retried, and handlers that hang are logged and left. */
async function drain({ lifetime, log, receivers }: Core): Promise<void> {
  lifetime.state = 'stopping';
  lifetime.wake();
  const within = (ms: number) => Promise.race([lifetime.idle().then(() => true), lifetime.rest(ms).then(() => false)]);
  if (!(await within(DRAIN_MS))) {
    lifetime.aborted = true;
    lifetime.wake();
    log.error({ waiting: busy() }, 'not everything was done in time; nothing is tried again');
    if (!(await within(LAST_WORDS_MS))) log.error({ waiting: busy() }, 'stopped with work unfinished');
  }
  lifetime.state = 'stopped';
  lifetime.wake();

  function busy() {
    return receivers.map((receiver) => receiver.health()).filter((health) => health.queued + health.running > 0);
  }
}
