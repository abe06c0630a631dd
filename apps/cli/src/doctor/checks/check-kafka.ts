// Kafka: checks each broker, the topics against the contracts, the groups, and the dead letters.
import type { GroupState } from '@landfall/bus';
import type { BrokerState, PartitionTrouble, TopicFinding } from '@landfall/bus/kafka';
import type { Facts } from '../facts/facts.ts';
import type { LettersOf } from '../facts/kafka-facts.ts';
import { counted, type Finding, fail, ok, reasonOf, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

const WITHIN_MS = 4_500;
const ONE_PROCESS = 'everything runs in one process, without Kafka';

/** Makes a check that runs only when a broker answers. */
const overKafka = (name: string, run: (kafka: NonNullable<Facts['kafka']>) => Promise<Finding[]>): Check<Facts> => ({
  name,
  withinMs: WITHIN_MS,
  async run({ kafka }) {
    // The line "brokers" gives the reason.
    if (!kafka) return [];
    const brokers = await kafka.brokers();
    if (brokers.every(({ fault }) => fault !== undefined)) return [skipped(name, 'no broker answers')];
    // The lines before this one report a fault of the brokers.
    return run(kafka).catch((error: unknown) => [skipped(name, `the brokers do not say: ${reasonOf(error)}`)]);
  },
});

export const brokersCheck: Check<Facts> = {
  name: 'brokers',
  withinMs: WITHIN_MS,
  async run({ kafka, setup }) {
    if (kafka) return brokersFindings(await kafka.brokers());
    return [skipped('brokers', setup.how === 'npm start' ? ONE_PROCESS : 'its settings are wrong: see above')];
  },
};

export function brokersFindings(brokers: readonly BrokerState[]): Finding[] {
  const away = brokers.filter(({ fault }) => fault !== undefined);
  const names = brokers.map(({ address }) => address);
  if (away.length === 0)
    return [ok('brokers', `${some(names, 5)} ${names.length === 1 ? 'answers' : 'answer'}`, { brokers: names })];
  const all = away.length === brokers.length;
  const remedy = all
    ? 'Start Kafka, or correct KAFKA_BROKERS and, where brokers ask for them, KAFKA_TLS and KAFKA_SASL_*.'
    : 'Start it. If it runs: brokers must name an address that reaches them from here (advertised.listeners).';
  return away.map(({ address, fault = '' }) =>
    fail('brokers', `${address} does not answer: ${reasonOf(new Error(fault))}`, remedy, { brokers: names }),
  );
}

export const topicsCheck = overKafka('topics', async (kafka) => topicsFindings(await kafka.topics()));

type Topics = Awaited<ReturnType<NonNullable<Facts['kafka']>['topics']>>;

export function topicsFindings({ count, findings, troubles }: Topics): Finding[] {
  const found = [...troublesFindings(troubles), ...differencesFindings(findings)];
  return found.length > 0
    ? found
    : [ok('topics', `all ${count} are there as the settings say, with every copy in sync`)];
}

function differencesFindings(findings: readonly TopicFinding[]): Finding[] {
  const missing = findings.filter(({ what }) => what === 'missing').map(({ topic }) => topic);
  const kinds = Map.groupBy(
    findings.filter(({ what }) => what !== 'missing'),
    ({ what, finding }) => `${what} ${finding}`,
  );
  return [
    ...(missing.length === 0
      ? []
      : [
          fail(
            'topics',
            `${counted(missing.length, 'topic is', 'topics are')} missing: ${some(missing)}`,
            'Start any service: whoever starts makes the topics that are missing. If it may not, make them by hand (docs/reference/messages.md lists them).',
            { missing },
          ),
        ]),
    ...[...kinds.values()].map((same) => differenceFinding(same)),
  ];
}

const REMEDIES: Readonly<Record<Exclude<TopicFinding['what'], 'missing'>, string>> = {
  partitions:
    'Fewer partitions: no more processes than that share the work; add them with kafka-topics --alter, all topics alike. More on purpose: set KAFKA_PARTITIONS to it.',
  replication:
    'With three brokers or more have three copies (kafka-reassign-partitions); if the number is on purpose, set KAFKA_REPLICATION to it.',
  retention:
    'Settings count only when a topic is made: change it with kafka-configs --alter, or set the variable to what you want.',
  cleanup: 'Set cleanup.policy=delete with kafka-configs --alter: compaction drops messages that nobody has read yet.',
  'in-sync': 'Set min.insync.replicas=2 with kafka-configs --alter.',
};

function differenceFinding(same: readonly TopicFinding[]): Finding {
  const { what, finding } = same[0]!;
  const topics = same.map(({ topic }) => topic);
  const says = `${some(topics)}: ${finding}`;
  const remedy = REMEDIES[what as keyof typeof REMEDIES];
  // With the wrong number of partitions, a reader of answers finds no partition of its own. With compaction, commands
  // are lost.
  const lost = what === 'cleanup' || (what === 'partitions' && finding.includes('needed'));
  return (lost ? fail : warn)('topics', says, remedy, { what, topics });
}

const TROUBLES = [
  ['writes', fail, 'with fewer copies in sync than min.insync.replicas: nothing is written there'],
  ['copies', warn, 'with a copy that is not in sync: one more broker that ends may stop or lose them'],
] as const;
const BROKERS_BACK = 'Start the brokers that are away (see the line "brokers") and give them time to catch up.';

function troublesFindings(troubles: readonly PartitionTrouble[]): Finding[] {
  if (troubles.some(({ what }) => what === 'leader')) {
    const says = 'a partition has no leader: nothing is read or written there, and services that start wait for it';
    return [fail('topics', says, `${BROKERS_BACK} kafka-topics --describe --unavailable-partitions names it.`)];
  }
  return TROUBLES.flatMap(([kind, state, says]) => {
    const places = troubles.flatMap((one) => (one.what === kind ? [`${one.topic}/${one.partition}`] : []));
    if (places.length === 0) return [];
    const line = `${counted(places.length, 'partition')} (${some(places)}) ${says}`;
    return [state('topics', line, BROKERS_BACK, { partitions: places })];
  });
}

export const groupsCheck = overKafka('groups', async (kafka) => groupsFindings(await kafka.groups()));

const WAITED_WARN_MS = 60_000;
const WAITED_FAIL_MS = 600_000;

export function groupsFindings(groups: readonly GroupState[]): Finding[] {
  const idle = groups.filter(({ members }) => members === 0);
  const services = [...new Set(idle.map(({ group }) => serviceOf(group)))];
  const behind = groups.filter(({ waitedMs }) => waitedMs >= WAITED_WARN_MS);
  const lag = groups.reduce((sum, one) => sum + one.lag, 0);
  const found = [
    ...services.map((service) => {
      const its = idle.filter(({ group }) => serviceOf(group) === service);
      const waiting = its.reduce((sum, one) => sum + one.lag, 0);
      const says = `nobody reads ${some(its.map(({ group }) => group))}: no ${processOf(service)} runs; ${counted(waiting, 'message waits', 'messages wait')}`;
      const remedy = `Start a ${processOf(service)}, or see in its log why it ended. Nothing that waits is lost before its retention ends.`;
      return fail('groups', says, remedy, { groups: its });
    }),
    ...behind.filter(({ members }) => members > 0).map(behindFinding),
  ];
  if (found.length > 0) return found;
  return [
    ok(
      'groups',
      `all ${groups.length} have members; ${lag === 0 ? 'nothing waits' : `${counted(lag, 'message waits', 'messages wait')}, none for a minute`}`,
      { groups },
    ),
  ];
}

function behindFinding(state: GroupState): Finding {
  const { group, lag, waitedMs, members } = state;
  const says = `${group} is behind: ${counted(lag, 'message waits', 'messages wait')}, the oldest for more than ${duration(waitedMs)} (${counted(members, 'member')})`;
  const remedy = `See /readyz and the log of each ${processOf(serviceOf(group))}: what is tried again and again says why. If they are only busy, start more of them.`;
  return (waitedMs >= WAITED_FAIL_MS ? fail : warn)('groups', says, remedy, state);
}

/** The name of a group begins with the name of its part: `link.commands`, `attribution`. */
const serviceOf = (group: string): string => {
  const part = group.split('.', 1)[0]!;
  // The console owns the tables of accounts, and its messages are named after them.
  return part === 'account' ? 'console' : part;
};
const processOf = (service: string): string =>
  service === 'gateway' || service === 'console' ? service : `${service} worker`;

const duration = (ms: number): string =>
  ms < 3_600_000 ? counted(ms / 60_000, 'minute') : counted(Math.round(ms / 3_600_000), 'hour');

export const lettersCheck: Check<Facts> = {
  name: 'dead letters',
  withinMs: WITHIN_MS,
  async run(facts) {
    const { kafka, setup, database } = facts;
    if (kafka) return overKafka('dead letters', async () => lettersFindings(await kafka.letters(), true)).run(facts);
    const found = setup.how === 'npm start' ? await database?.() : undefined;
    if (!found || 'error' in found) return [skipped('dead letters', 'the database does not answer')];
    if (found.facts.migrations.missing.length > 0) return [skipped('dead letters', 'migrations are missing')];
    const letters = await facts.storedLetters();
    return lettersFindings(
      letters.map(({ group, count }) => ({ group, waiting: count })),
      false,
    );
  },
};

export function lettersFindings(letters: readonly LettersOf[], replayable: boolean): Finding[] {
  const waiting = letters.filter((one) => one.waiting > 0);
  if (waiting.length === 0) return [ok('dead letters', 'none that waits')];
  const says = `given up on: ${some(waiting.map((one) => `${one.waiting} by ${one.group}`))}`;
  const remedy = replayable
    ? 'npm run landfall -- dlq list says why. Mend the cause, then dlq replay <group> --all. For a letter that can never be replayed: dlq drop.'
    : 'npm run landfall -- dlq list says why. Mend the cause, then replay in the web app. For a letter that can never be replayed: dlq drop.';
  return [warn('dead letters', says, remedy, { letters: waiting })];
}
