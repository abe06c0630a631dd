// Runs checks beside each other, each with a time of its own: one that hangs holds up none of the others.
import pTimeout from 'p-timeout';
import { type Finding, fail, reasonOf } from './finding.ts';

export interface Check<Facts> {
  /** The name of its findings when a finding has no more exact one. */
  name: string;
  /** Milliseconds; 3,000 when left out. */
  withinMs?: number;
  run(facts: Facts): Promise<Finding[]>;
}

const WITHIN_MS = 3_000;

/**
 * Findings in the order of the checks. Never rejects.
 * @param patience how many times as long each may take
 */
export async function runChecks<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  patience = 1,
): Promise<Finding[]> {
  const found = checks.map((check) => runCheck(check, facts, (check.withinMs ?? WITHIN_MS) * patience));
  return (await Promise.all(found)).flat();
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

/** Finds a fact once for several checks. */
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
