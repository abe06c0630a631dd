// Runs checks in parallel. Each check has its own time limit, so a check that hangs does not delay the others.
import pTimeout from 'p-timeout';
import type { Facts } from './facts/facts.ts';
import { type Finding, fail, reasonOf, type Said } from './finding.ts';

export interface Check {
  name: string;
  /** The time limit; 3,000 when left out. */
  withinMs?: number;
  run(facts: Facts): Promise<Said | Said[]>;
}

const WITHIN_MS = 3_000;

/** Returns the findings of each check, in the order of the checks. Never rejects. */
export const runChecks = (checks: readonly Check[], facts: Facts): Promise<Finding[][]> =>
  Promise.all(
    checks.map(async (check) => {
      const found = await runCheck(check, facts);
      return [found].flat().map((said) => ({ check: check.name, ...said }));
    }),
  );

async function runCheck({ run, withinMs = WITHIN_MS }: Check, facts: Facts): Promise<Said | Said[]> {
  const milliseconds = withinMs * facts.setup.patience;
  const fallback = () =>
    fail(
      `no answer within ${milliseconds / 1000} s: something that it asks hangs`,
      'See what else fails here, and whether a firewall drops what this machine sends.',
    );
  try {
    return await pTimeout(run(facts), { milliseconds, fallback });
  } catch (error) {
    return fail(`could not be checked: ${reasonOf(error)}`, 'This is a fault of doctor: please report it.');
  }
}
