// Formats findings for a person who reads them at night and in a hurry.
import { visible } from '../letters/visible.ts';
import type { Finding, State } from './finding.ts';

const words: Readonly<Record<State, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', skipped: 'skipped' };
const WIDTH = 'skipped'.length;

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
  const of = (state: State) => findings.filter((finding) => finding.state === state);
  const counts = (['fail', 'warn', 'ok', 'skipped'] as const).map((state) => `${of(state).length} ${words[state]}`);
  const failed = [...new Set(of('fail').map(({ check }) => check))];
  const first = failed.length > 1 ? ` Begin with the first, ${failed[0]}: others may follow from it.` : '';
  return `${counts.join(', ')}.${first}`;
}
