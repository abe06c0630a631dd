// When an alert fires, and when it ends. Pure functions: a rule, a figure and what was expected.

export const alertRules = ['fall', 'rise', 'silence', 'above', 'below'] as const;
export type AlertRule = (typeof alertRules)[number];
export type AlertState = 'ok' | 'firing' | 'unknown';

/** Why a rule cannot be judged: `NEW`: too few weeks are counted. `FEW`: too little is expected. `BEHIND`: not counted yet. */
export const unknownReasons = ['NEW', 'FEW', 'BEHIND'] as const;
export type UnknownReason = (typeof unknownReasons)[number];

export interface Rule {
  rule: AlertRule;
  /** Of `fall` and `rise`: percent of what is expected. Of `above` and `below`: a figure. Null for `silence`. */
  bound: number | null;
}

/** `bad`: what fires the alert. `good`: what ends it. `between`: neither, so that a figure near the bound tells once. */
export type Finding = 'bad' | 'good' | 'between' | UnknownReason;

/** Of smaller figures every chance looks like a change. */
const FEWEST = 20;
/** A figure that is counted varies by about its root. Four roots happen by chance once in 30,000 times. */
const ROOTS = 4;
/** The part of the bound below which a change counts as over. */
const OVER = 0.4;
/** The distance from a limit at which it counts as over. */
const CLEAR = 0.1;
/** Checks in a row that must find it. */
const IN_A_ROW = 2;

/** @param expected null: too few weeks are counted */
export function judge({ rule, bound }: Rule, value: number, expected: number | null): Finding {
  const limit = bound ?? 0;
  if (rule === 'above') return value > limit ? 'bad' : value <= Math.ceil(limit * (1 - CLEAR)) ? 'good' : 'between';
  if (rule === 'below') return value < limit ? 'bad' : value >= Math.floor(limit * (1 + CLEAR)) ? 'good' : 'between';
  if (expected === null) return 'NEW';
  if (expected < FEWEST) return 'FEW';
  if (rule === 'silence') return value === 0 ? 'bad' : 'good';
  // The change in the direction of the rule, as a part of what is expected.
  const change = (rule === 'fall' ? expected - value : value - expected) / expected;
  const chance = (ROOTS * Math.sqrt(expected)) / expected;
  if (change > limit / 100 && change > chance) return 'bad';
  return change <= (limit / 100) * OVER ? 'good' : 'between';
}

export interface Standing {
  state: AlertState;
  /** How many checks in a row found what fires it. */
  streak: number;
  /** What people were told last. It is the state again after one that was unknown. */
  told: 'ok' | 'firing';
}

/** Returns the state after a check. */
export function nextState({ state, streak, told }: Standing, finding: Finding): Pick<Standing, 'state' | 'streak'> {
  const last = state === 'unknown' ? told : state;
  if (finding === 'good') return { state: 'ok', streak: 0 };
  if (finding === 'between') return { state: last, streak: 0 };
  if (finding !== 'bad') return { state: 'unknown', streak: 0 };
  const now = Math.min(streak + 1, IN_A_ROW);
  return { state: now >= IN_A_ROW ? 'firing' : last, streak: now };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
