import { capital } from '../capital.ts';

/** Characters of a sentence that is a title as a whole. */
const SHORT = 60;
// Not the points of "e.g.".
const END = /(?<=[\p{L}`]{2})\. /u;
const PAUSE = /(?<=[\p{L}`]{2})[.;:] /u;

/** Returns the first part of what an operation does, for a title, and the sentences after it. */
export function titleOf(summary: string): { title: string; more: string } {
  const end = (summary.length > SHORT ? PAUSE : END).exec(summary);
  if (end === null) return { title: summary, more: '' };
  const rest = capital(summary.slice(end.index + 2));
  return { title: summary.slice(0, end.index), more: rest.endsWith('.') ? rest : `${rest}.` };
}
