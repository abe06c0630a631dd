// Looks at everything that an installation needs, and finds faults with their remedies.
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
import { readSetup, type SetupOptions } from './facts/setup.ts';
import type { Finding } from './finding.ts';
import { type Check, runChecks, within } from './run-checks.ts';
import { scrubbed } from './scrub.ts';

/** In the order of the lines: what others depend on comes first. */
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

const help = `Looks at everything that an installation needs, and says what to do about what is wrong. Changes nothing, and
takes some ten seconds at the most. Ends with 1 when something failed.

  doctor [--json]
         [--gateway <url> …]   single gateways behind PUBLIC_URL: http://10.0.0.5:8080
         [--process <url> …]   the METRICS_PORT of processes, for their /readyz: http://10.0.0.7:9464
         [--resolver <address[:port]>]   a name server to ask instead of this machine's: 1.1.1.1
         [--patience <n>]      gives everything n times as long: for far or busy machines

It reads the variables that the services have (docs/reference/configuration.md): PUBLIC_URL, LINK_DOMAIN, DATABASE_URL,
KAFKA_BROKERS and its further ones, REDIS_URL, OWNER_TOKEN or LANDFALL_TOKEN, each also as NAME_FILE. Beside npm start and
npm run stack it finds them by itself in LANDFALL_DATA. What each line means: docs/reference/doctor.md.`;

export const doctor: Command = {
  says: 'look at all parts, and say what is wrong and what to do',
  help,
  async run(args, env, print) {
    const { json, ...options } = parsed(args);
    const findings = await examine(env, options);
    print(json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    return findings.some(({ state }) => state === 'fail') ? 1 : 0;
  },
};

const CLOSE_MS = 500;

/** Returns the findings, good and bad, in the order of the checks. */
export async function examine(env: NodeJS.ProcessEnv, options: SetupOptions = {}): Promise<Finding[]> {
  const setup = readSetup(env, options);
  const facts = createFacts(setup);
  try {
    const [first, ...rest] = await runChecks(checks, facts, setup.patience);
    return scrubbed([first!, ...setup.faults, ...rest], setup.secrets);
  } finally {
    // A hanging check is left behind: the process ends.
    await within(CLOSE_MS, facts.close(), undefined).catch(() => {});
  }
}
