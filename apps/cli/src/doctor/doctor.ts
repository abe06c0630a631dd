// Checks everything that an installation needs. Finds faults and their remedies.
import pTimeout from 'p-timeout';
import { associationFilesCheck } from './checks/check-association-files.ts';
import { clocksCheck } from './checks/check-clocks.ts';
import { databaseCheck, migrationsCheck } from './checks/check-database.ts';
import { brokersCheck, groupsCheck, lettersCheck, topicsCheck } from './checks/check-kafka.ts';
import { linkHostsCheck } from './checks/check-link-hosts.ts';
import { matchingCheck } from './checks/check-matching.ts';
import { namesCheck } from './checks/check-names.ts';
import { proxyCheck } from './checks/check-proxy.ts';
import { processesCheck, publicUrlCheck } from './checks/check-public-url.ts';
import { redisCheck } from './checks/check-redis.ts';
import { secretCheck } from './checks/check-secret.ts';
import { versionsCheck } from './checks/check-versions.ts';
import { createFacts, type Facts } from './facts/facts.ts';
import { readSetup, type Setup, type SetupOptions } from './facts/setup.ts';
import type { Finding } from './finding.ts';
import { type Check, runChecks } from './run-checks.ts';
import { scrubbed } from './scrub.ts';

/** The order is that of the lines. A check comes after the checks that it depends on. */
const checks: readonly Check<Facts>[] = [
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

/**
 * Returns the findings, good and bad, in the order of the checks. Looks again when something failed: on a busy machine a
 * server may answer too late once. For a check that fails twice it reports the first findings, because doctor's own
 * requests leave traces.
 */
export async function examine(env: NodeJS.ProcessEnv, options: SetupOptions = {}): Promise<Finding[]> {
  const setup = readSetup(env, options);
  const seen = await look(setup);
  const again = seen.some(failed) ? await look({ ...setup, patience: setup.patience + 2 }) : seen;
  const [first, ...rest] = seen.flatMap((found, i) => (isSure(found) || failed(again[i]!) ? found : again[i]!));
  return scrubbed([first!, ...setup.faults, ...rest], setup.secrets);
}

const failed = (found: readonly Finding[]) => found.some(({ state }) => state === 'fail');
const isSure = (found: readonly Finding[]) => found.every(({ state }) => state === 'ok' || state === 'warn');

async function look(setup: Setup): Promise<Finding[][]> {
  const facts = createFacts(setup);
  try {
    return await runChecks(checks, facts, setup.patience);
  } finally {
    // Does not wait for a hanging check, because the process ends anyway.
    await pTimeout(facts.close(), { milliseconds: CLOSE_MS, fallback: () => {} }).catch(() => {});
  }
}
