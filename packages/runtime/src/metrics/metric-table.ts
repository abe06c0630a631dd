// The table of every metric that the runtime counts. /metrics and docs/reference/metrics.md are made from it.

export interface MetricDefinition {
  name: `landfall_${string}`;
  type: 'counter' | 'gauge' | 'histogram';
  /** Label values are few and known in advance: names from the code, never an id, an address or an input. */
  labels: readonly string[];
  help: string;
  buckets?: readonly number[];
}

/** Bucket bounds in seconds, from an answer out of a cache to the longest timeout. */
const LATENCY = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Bucket bounds in messages, up to the largest batch. */
const BATCH = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;

export const metricTable = {
  buildInfo: {
    name: 'landfall_build_info',
    type: 'gauge',
    labels: ['service', 'version', 'instance_id'],
    help: 'Always 1: which program this is.',
  },
  requests: {
    name: 'landfall_http_request_duration_seconds',
    type: 'histogram',
    labels: ['route', 'method', 'status'],
    help: 'HTTP requests from their head to the end of the answer. The route is its pattern, `link-host` for a tap, `other` for what no route has; status 499: the client left first.',
    buckets: LATENCY,
  },
  asks: {
    name: 'landfall_asks_total',
    type: 'counter',
    labels: ['message', 'outcome'],
    help: 'Queries and commands that were asked, by how they ended: answered, refused, invalid, busy, no_answer, failed.',
  },
  askDuration: {
    name: 'landfall_ask_duration_seconds',
    type: 'histogram',
    labels: ['message'],
    help: 'From asking to the end of it, whatever that was.',
    buckets: LATENCY,
  },
  tells: {
    name: 'landfall_tells_total',
    type: 'counter',
    labels: ['event', 'outcome'],
    help: 'Events that were told, by how it ended: told (durable), invalid, busy, no_answer.',
  },
  handlerDuration: {
    name: 'landfall_handler_duration_seconds',
    type: 'histogram',
    labels: ['message', 'group', 'outcome'],
    help: 'One call of a handler or listener with its batch: done, retried (infrastructure), failed.',
    buckets: LATENCY,
  },
  batchSize: {
    name: 'landfall_handler_batch_size',
    type: 'histogram',
    labels: ['message', 'group'],
    help: 'Messages in one call of a handler or listener.',
    buckets: BATCH,
  },
  deadLetters: {
    name: 'landfall_dead_letters_total',
    type: 'counter',
    labels: ['group', 'message'],
    help: 'Messages that were given up on. Somebody must look at each.',
  },
  lag: {
    name: 'landfall_consumer_lag_messages',
    type: 'gauge',
    labels: ['group', 'topic'],
    help: 'Messages in the log that the group has not done, in the partitions of this process. None in one process.',
  },
  oldest: {
    name: 'landfall_consumer_oldest_message_age_seconds',
    type: 'gauge',
    labels: ['group', 'topic'],
    help: 'Age of the oldest message that the group has not done; 0 when there is none.',
  },
  queued: {
    name: 'landfall_queue_messages',
    type: 'gauge',
    labels: ['receiver'],
    help: 'Messages that are known to wait for a handler or listener, without those being worked on.',
  },
  pendingAsks: {
    name: 'landfall_asks_pending',
    type: 'gauge',
    labels: [],
    help: 'Asks of this process that wait for an answer.',
  },
  paused: {
    name: 'landfall_receiver_paused',
    type: 'gauge',
    labels: ['receiver'],
    help: '1 while a handler or listener rests after many dead letters in a row.',
  },
  retrying: {
    name: 'landfall_receiver_retrying',
    type: 'gauge',
    labels: ['receiver'],
    help: '1 while the infrastructure of a handler or listener fails and the same messages are tried again.',
  },
  dropped: {
    name: 'landfall_stale_queries_dropped_total',
    type: 'counter',
    labels: ['receiver'],
    help: 'Queries that were left out because nobody waited any more.',
  },
  troubles: {
    name: 'landfall_bus_troubles',
    type: 'gauge',
    labels: [],
    help: 'What is wrong between this process and the brokers for more than 3 s, as a number of sentences in `/readyz`.',
  },
  checks: {
    name: 'landfall_check_ok',
    type: 'gauge',
    labels: ['check'],
    help: 'Each line of `/readyz`: 0 while it keeps the process from being ready.',
  },
} as const satisfies Record<string, MetricDefinition>;

/** Of push, but here, so that documentation and dashboard are made without the service. */
export const pushMetricTable = {
  attempts: {
    name: 'landfall_push_attempts_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    help: 'Pushes that were given to a provider, by what it said: sent, drop, fail, pause, wait, retry, or unknown when no answer came.',
  },
  pushes: {
    name: 'landfall_pushes_total',
    type: 'counter',
    labels: ['kind', 'state'],
    help: 'Pushes that came to an end: sent (the provider took it), logged, failed, unknown.',
  },
  dropped: {
    name: 'landfall_push_tokens_dropped_total',
    type: 'counter',
    labels: ['kind'],
    help: 'Device tokens that are of no use any more, as a provider said.',
  },
  underWay: {
    name: 'landfall_pushes_under_way',
    type: 'gauge',
    labels: [],
    help: 'Pushes of this process that wait for the answer of a provider.',
  },
  due: {
    name: 'landfall_pushes_due',
    type: 'gauge',
    labels: [],
    help: 'Queued pushes whose time has come, in lanes that are not paused; counted up to 100,000, every 30 s. All processes say the same.',
  },
  oldest: {
    name: 'landfall_pushes_oldest_due_age_seconds',
    type: 'gauge',
    labels: [],
    help: 'For how long the oldest of them has been due; 0 when there is none.',
  },
  paused: {
    name: 'landfall_push_providers_paused',
    type: 'gauge',
    labels: [],
    help: 'Providers of apps that send nothing, because they refused the credentials. Somebody must mend each.',
  },
} as const satisfies Record<string, MetricDefinition>;
