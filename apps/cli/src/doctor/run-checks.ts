// Runs checks in parallel. Each check has its own time limit, so a check that hangs does not delay the others.
import pTimeout from 'p-timeout';
import { type Finding, fail, reasonOf } from './finding.ts';

export interface Check<Facts> {
  /** The name of the check's findings, unless a finding has a more exact name. */
  name: string;
  /** The time limit in milliseconds. The default is 3,000. */
  withinMs?: number;
  run(facts: Facts): Promise<Finding[]>;
}

const WITHIN_MS = 3_000;

/**
 * Returns the findings of each check, in the order of the checks. Never rejects.
 * @param patience the factor for the time limit of each check
 */
export async function runChecks<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  patience = 1,
): Promise<Finding[][]> {
  return Promise.all(checks.map((check) => runCheck(check, facts, (check.withinMs ?? WITHIN_MS) * patience)));
}

async function runCheck<Facts>({ name, run }: Check<Facts>, facts: Facts, withinMs: number): Promise<Finding[]> {
  const late = `no answer within ${withinMs / 1000} s: something that it asks hangs`;
  const fallback = () => [
    fail(name, late, 'See what else fails here, and whether a firewall drops what this machine sends.'),
  ];
  try {
    return await pTimeout(run(facts), { milliseconds: withinMs, fallback });
  } catch (error) {
    return [fail(name, `could not be checked: ${reasonOf(error)}`, 'This is a fault of doctor: please report it.')];
  }
}

/** Finds a fact once, and shares it between several checks. */
export function once<T>(find: () => Promise<T>): Once<T> {
  let found: Promise<T> | undefined;
  const ask = () => {
    found ??= find();
    return found;
  };
  return Object.assign(ask, { asked: () => found !== undefined });
}

export interface Once<T> {
  (): Promise<T>;
  asked(): boolean;
}
