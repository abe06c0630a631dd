import { hostname } from 'node:os';
import { productVersion } from '@landfall/runtime';
import pTimeout from 'p-timeout';
import { associationFilesCheck } from './checks/check-association-files.ts';
import { clocksCheck } from './checks/check-clocks.ts';
import { brokersCheck, groupsCheck, lettersCheck, topicsCheck } from './checks/check-kafka.ts';
import { linkHostsCheck } from './checks/check-link-hosts.ts';
import { matchingCheck } from './checks/check-matching.ts';
import { namesCheck } from './checks/check-names.ts';
import { proxyCheck } from './checks/check-proxy.ts';
import { processesCheck, publicUrlCheck } from './checks/check-public-url.ts';
import { secretCheck } from './checks/check-secret.ts';
import { databaseCheck, migrationsCheck, redisCheck } from './checks/check-servers.ts';
import { createFacts } from './facts/facts.ts';
import { readSetup, type Setup, type SetupOptions } from './facts/setup.ts';
import { type Finding, ok, warn } from './finding.ts';
import { type Check, runChecks } from './run-checks.ts';
import { scrubbed } from './scrub.ts';

const WANTED_NODE = 24;
const WHAT: Readonly<Record<Setup['how'], string>> = {
  'npm start': 'everything in one process (npm start)',
  'npm run stack': 'the processes of npm run stack',
  'services over Kafka': 'services over Kafka (KAFKA_BROKERS)',
};

const versionsCheck: Check = {
  name: 'landfall',
  async run({ setup: { how } }) {
    const { node } = process.versions;
    const host = hostname();
    const says = `${productVersion}, Node ${node}, on ${host}; looks at ${WHAT[how]}`;
    const facts = { version: productVersion, node, host, how };
    if (Number.parseInt(node, 10) >= WANTED_NODE) return ok(says, facts);
    return warn(says, `Landfall is run by Node ${WANTED_NODE}: npm start and npm run landfall bring it along.`, facts);
  },
};

/** The order is that of the lines. A check comes after the checks that it depends on. */
const checks: readonly Check[] = [
  versionsCheck,
  databaseCheck,
  migrationsCheck,
  brokersCheck,
  topicsCheck,
  groupsCheck,
  lettersCheck,
  redisCheck,
  clocksCheck,
  publicUrlCheck,
  processesCheck,
  proxyCheck,
  secretCheck,
  namesCheck,
  linkHostsCheck,
  associationFilesCheck,
  matchingCheck,
];

const CLOSE_MS = 500;
/** The factor for the time limits of the second look. */
const AGAIN = 3;

/**
 * Returns all findings, in the order of the checks. When something failed, looks again at all that is not sure: on a
 * busy machine a server may answer too late once. Of a check that fails twice it reports the first findings, because
 * doctor's own requests leave traces.
 */
export async function examine(env: NodeJS.ProcessEnv, options: SetupOptions = {}): Promise<Finding[]> {
  const setup = readSetup(env, options);
  const seen = await look(checks, setup);
  if (options.again !== false && seen.some(failed)) {
    const unsure = [...seen.keys()].filter((i) => !isSure(seen[i]!));
    const again = await look(
      unsure.map((i) => checks[i]!),
      { ...setup, patience: setup.patience * AGAIN },
    );
    for (const [n, i] of unsure.entries()) if (!failed(again[n]!)) seen[i] = again[n]!;
  }
  const [first, ...rest] = seen.flat();
  return scrubbed([first!, ...setup.faults, ...rest], setup.secrets);
}

const failed = (found: readonly Finding[]) => found.some(({ state }) => state === 'fail');
const isSure = (found: readonly Finding[]) => found.every(({ state }) => state === 'ok' || state === 'warn');

async function look(checks: readonly Check[], setup: Setup): Promise<Finding[][]> {
  const facts = createFacts(setup);
  try {
    return await runChecks(checks, facts);
  } finally {
    // Does not wait for a hanging check, because the process ends anyway.
    await pTimeout(facts.close(), { milliseconds: CLOSE_MS, fallback: () => {} }).catch(() => {});
  }
}
