import type { GroupState } from '@landfall/bus';
import type { BrokerState, PartitionTrouble, TopicFinding } from '@landfall/bus/kafka';
import type { Facts } from '../facts/facts.ts';
import { counted, fail, ok, reasonOf, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

const WITHIN_MS = 4_500;

type Kafka = NonNullable<Facts['kafka']>;

const overKafka = (name: string, run: (kafka: Kafka) => Promise<Said | Said[]>): Check => ({
  name,
  withinMs: WITHIN_MS,
  async run({ kafka }) {
    // The line "brokers" gives the reason.
    if (!kafka) return [];
    const brokers = await kafka.brokers();
    if (brokers.every(({ fault }) => fault !== undefined)) return skipped('no broker answers');
    // The lines before this one report a fault of the brokers.
    return run(kafka).catch((error: unknown) => skipped(`the brokers do not say: ${reasonOf(error)}`));
  },
});

export const brokersCheck: Check = {
  name: 'brokers',
  withinMs: WITHIN_MS,
  async run({ kafka, setup }) {
    if (kafka) return brokersFindings(await kafka.brokers());
    if (setup.how !== 'npm start') return skipped('its settings are wrong: see above');
    return skipped('everything runs in one process, without Kafka');
  },
};

export function brokersFindings(brokers: readonly BrokerState[]): Said[] {
  const away = brokers.filter(({ fault }) => fault !== undefined);
  const names = brokers.map(({ address }) => address);
  const facts = { brokers: names };
  if (away.length === 0) return [ok(`${some(names, 5)} ${names.length === 1 ? 'answers' : 'answer'}`, facts)];
  const remedy =
    away.length === brokers.length
      ? 'Start Kafka, or correct KAFKA_BROKERS and, where brokers ask for them, KAFKA_TLS and KAFKA_SASL_*.'
      : 'Start it. If it runs: brokers must name an address that reaches them from here (advertised.listeners).';
  return away.map(({ address, fault = '' }) =>
    fail(`${address} does not answer: ${reasonOf(new Error(fault))}`, remedy, facts),
  );
}

export const topicsCheck = overKafka('topics', async (kafka) => topicsFindings(await kafka.topics()));

export function topicsFindings({ count, findings, troubles }: Awaited<ReturnType<Kafka['topics']>>): Said[] {
  const kinds = Map.groupBy(findings, ({ what, finding }) => `${what} ${finding}`).values();
  const found = [...troublesFindings(troubles), ...kinds.map(differenceFinding)];
  return found.length > 0 ? found : [ok(`all ${count} are there as the settings say, with every copy in sync`)];
}

const REMEDIES: Readonly<Record<TopicFinding['what'], string>> = {
  missing:
    'Start any service: whoever starts makes the topics that are missing. If it may not, make them by hand (docs/reference/messages.md lists them).',
  partitions:
    'Fewer partitions: no more processes than that share the work; add them with kafka-topics --alter, all topics alike. More on purpose: set KAFKA_PARTITIONS to it.',
  replication:
    'With three brokers or more have three copies (kafka-reassign-partitions); if the number is on purpose, set KAFKA_REPLICATION to it.',
  retention:
    'Settings count only when a topic is made: change it with kafka-configs --alter, or set the variable to what you want.',
  cleanup: 'Set cleanup.policy=delete with kafka-configs --alter: compaction drops messages that nobody has read yet.',
  'in-sync': 'Set min.insync.replicas=2 with kafka-configs --alter.',
};

function differenceFinding(same: readonly TopicFinding[]): Said {
  const { what, finding } = same[0]!;
  const topics = same.map(({ topic }) => topic);
  if (what === 'missing') {
    const says = `${counted(topics.length, 'topic is', 'topics are')} missing: ${some(topics)}`;
    return fail(says, REMEDIES.missing, { missing: topics });
  }
  // A reader of answers then finds no partition of its own. Compaction loses commands.
  const lost = what === 'cleanup' || (what === 'partitions' && finding.includes('needed'));
  return (lost ? fail : warn)(`${some(topics)}: ${finding}`, REMEDIES[what], { what, topics });
}

const TROUBLES = [
  ['writes', fail, 'with fewer copies in sync than min.insync.replicas: nothing is written there'],
  ['copies', warn, 'with a copy that is not in sync: one more broker that ends may stop or lose them'],
] as const;
const BROKERS_BACK = 'Start the brokers that are away (see the line "brokers") and give them time to catch up.';

function troublesFindings(troubles: readonly PartitionTrouble[]): Said[] {
  if (troubles.some(({ what }) => what === 'leader')) {
    const says = 'a partition has no leader: nothing is read or written there, and services that start wait for it';
    return [fail(says, `${BROKERS_BACK} kafka-topics --describe --unavailable-partitions names it.`)];
  }
  return TROUBLES.flatMap(([kind, state, says]) => {
    const places = troubles.flatMap((one) => (one.what === kind ? [`${one.topic}/${one.partition}`] : []));
    if (places.length === 0) return [];
    const line = `${counted(places.length, 'partition')} (${some(places)}) ${says}`;
    return [state(line, BROKERS_BACK, { partitions: places })];
  });
}

export const groupsCheck = overKafka('groups', async (kafka) => groupsFindings(await kafka.groups()));

const WAITED_WARN_MS = 60_000;
const WAITED_FAIL_MS = 600_000;

export function groupsFindings(groups: readonly GroupState[]): Said[] {
  const idle = groups.filter(({ members }) => members === 0);
  const behind = groups.filter(({ members, waitedMs }) => members > 0 && waitedMs >= WAITED_WARN_MS);
  const found = [
    ...[...Map.groupBy(idle, processOf)].map(([process, its]) =>
      fail(
        `nobody reads ${some(its.map(({ group }) => group))}: no ${process} runs; ${waitingIn(its)}`,
        `Start a ${process}, or see in its log why it ended. Nothing that waits is lost before its retention ends.`,
        { groups: its },
      ),
    ),
    ...behind.map(behindFinding),
  ];
  if (found.length > 0) return found;
  const waiting = groups.every(({ lag }) => lag === 0) ? 'nothing waits' : `${waitingIn(groups)}, none for a minute`;
  return [ok(`all ${groups.length} have members; ${waiting}`, { groups })];
}

function waitingIn(groups: readonly GroupState[]): string {
  const sum = groups.reduce((before, { lag }) => before + lag, 0);
  return counted(sum, 'message waits', 'messages wait');
}

function behindFinding(state: GroupState): Said {
  const { group, waitedMs, members } = state;
  const says = `${group} is behind: ${waitingIn([state])}, the oldest for more than ${duration(waitedMs)} (${counted(members, 'member')})`;
  const remedy = `See /readyz and the log of each ${processOf(state)}: what is tried again and again says why. If they are only busy, start more of them.`;
  return (waitedMs >= WAITED_FAIL_MS ? fail : warn)(says, remedy, state);
}

/** The name of a group begins with the name of its part: `link.commands`, `attribution`. */
function processOf({ group }: GroupState): string {
  const part = group.split('.', 1)[0]!;
  // The console owns the tables of accounts, and its messages are named after them.
  if (part === 'account' || part === 'console') return 'console';
  return part === 'gateway' ? part : `${part} worker`;
}

const duration = (ms: number): string =>
  ms < 3_600_000 ? counted(ms / 60_000, 'minute') : counted(Math.round(ms / 3_600_000), 'hour');

export const lettersCheck: Check = {
  name: 'dead letters',
  withinMs: WITHIN_MS,
  async run(facts) {
    const { kafka, setup, database } = facts;
    if (kafka) return overKafka('dead letters', async () => lettersFinding(await kafka.letters(), true)).run(facts);
    const found = setup.how === 'npm start' ? await database?.() : undefined;
    if (!found || 'error' in found) return skipped('the database does not answer');
    if (found.facts.migrations.missing.length > 0) return skipped('migrations are missing');
    return lettersFinding(await facts.storedLetters(), false);
  },
};

export function lettersFinding(letters: readonly { group: string; count: number }[], replayable: boolean): Said {
  const waiting = letters.filter(({ count }) => count > 0).map(({ group, count }) => ({ group, waiting: count }));
  if (waiting.length === 0) return ok('none that waits');
  const replay = replayable ? 'dlq replay <group> --all' : 'replay in the web app';
  return warn(
    `given up on: ${some(waiting.map(({ group, waiting }) => `${waiting} by ${group}`))}`,
    `npm run landfall -- dlq list says why. Mend the cause, then ${replay}. For a letter that can never be replayed: dlq drop.`,
    { letters: waiting },
  );
}
