import { reasonOf as messageOf } from '@landfall/runtime';
import { visible } from '../table.ts';

const words = { fail: 'FAIL', warn: 'warn', ok: 'ok', skipped: 'skipped' } as const;
/** `skipped`: the check could not run, and `says` has the reason. */
type State = keyof typeof words;

export interface Said {
  state: State;
  says: string;
  remedy?: string | undefined;
  /** The numbers and names behind the finding, for programs. */
  facts?: object | undefined;
}

export interface Finding extends Said {
  /** The name of the check. It is the same in every run. */
  check: string;
}

export const ok = (says: string, facts?: object): Said => ({ state: 'ok', says, facts });
export const warn = (says: string, remedy: string, facts?: object): Said => ({ state: 'warn', says, remedy, facts });
export const fail = (says: string, remedy: string, facts?: object): Said => ({ state: 'fail', says, remedy, facts });
export const skipped = (says: string, remedy?: string): Said => ({ state: 'skipped', says, remedy });

/** Keeps one finding for each remedy, with the number of the others: they have one cause. */
export const folded = (found: readonly Said[]): Said[] =>
  [...Map.groupBy(found, ({ remedy, says }) => remedy ?? says).values()].map(([first, ...rest]) =>
    rest.length === 0 ? first! : { ...first!, says: `${first!.says} (and ${rest.length} more the same way)` },
  );

export function some(names: readonly string[], max = 3): string {
  const left = names.length - max;
  return left > 0 ? `${names.slice(0, max).join(', ')} and ${left} more` : names.join(', ');
}

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Returns the message of an error in one line, without its full stop. */
export const reasonOf = (error: unknown): string => messageOf(error).replace(/\s+/g, ' ').replace(/\.$/, '');

const WIDTH = words.skipped.length;

/** Formats findings for a person who reads them at night and in a hurry. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(WIDTH + 2 + width + 2);
  const lines = findings.flatMap(({ check, state, says, remedy }) => [
    `${words[state].padEnd(WIDTH)}  ${check.padEnd(width)}  ${visible(says)}`,
    ...(remedy === undefined ? [] : [`${indent}→ ${visible(remedy)}`]),
  ]);
  return [...lines, '', summary(findings)].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const of = (state: string) => findings.filter((finding) => finding.state === state);
  const counts = Object.entries(words).map(([state, word]) => `${of(state).length} ${word}`);
  const failed = [...new Set(of('fail').map(({ check }) => check))];
  const first = failed.length > 1 ? ` Begin with the first, ${failed[0]}: others may follow from it.` : '';
  return `${counts.join(', ')}.${first}`;
}
