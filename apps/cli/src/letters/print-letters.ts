// Formats dead letters for a person.

import type { StoredLetter } from '@landfall/bus';
import { cutText } from '@landfall/contracts';
import { columns } from '../table.ts';
import { visible } from './visible.ts';

const MAX_REASON = 120;

/** @param left the number of letters that are not shown because they were replayed or dropped */
export function listText(letters: readonly StoredLetter[], left: number): string {
  const hint =
    left === 0
      ? []
      : [
          `${left} more ${left === 1 ? 'was' : 'were'} replayed or dropped: --all shows ${left === 1 ? 'it' : 'them'}, too.`,
        ];
  if (letters.length === 0) return ['No dead letters.', ...hint].join('\n');
  const head = ['GROUP', 'PLACE', 'TIME', 'MESSAGE', 'MESSAGE ID', 'ATTEMPTS', 'REPLAYED', 'DROPPED', 'REASON'];
  const rows = letters.map((letter) => [
    letter.group,
    letter.place,
    timeOf(letter),
    letter.message || '-',
    letter.messageId || '-',
    String(letter.attempts),
    yesOrNo(letter.replayed),
    yesOrNo(letter.dropped),
    short(letter.reason),
  ]);
  return [...columns([head, ...rows.map((row) => row.map(visible))]), ...hint].join('\n');
}

/** Returns everything in the letter, without shortening. */
export function letterText(letter: StoredLetter): string {
  const { group, place, message, messageId, key, attempts, reason, replayed, dropped, data, headers = {} } = letter;
  const { topic, partition, offset } = letter;
  const facts = {
    group,
    place,
    time: timeOf(letter),
    message,
    'message id': messageId,
    key,
    attempts: String(attempts),
    replayed: yesOrNo(replayed),
    dropped: yesOrNo(dropped),
    reason,
    ...(topic !== undefined && { 'found first': `${topic}, partition ${partition}, offset ${offset}` }),
  };
  const lines = columns(Object.entries(facts).map(([name, value]) => [name, visible(value)]));
  const shown = typeof data === 'string' ? visible(data) : visibleLines(JSON.stringify(data, null, 2));
  const headed = columns(Object.entries(headers).map(([name, value]) => [`  ${visible(name)}`, visible(value)]));
  return [...lines, ...(headed.length > 0 ? ['headers', ...headed] : []), 'data', shown].join('\n');
}

/** A message that could not be read may have no time. */
const timeOf = ({ at }: StoredLetter): string => (Number.isNaN(at.getTime()) ? '-' : at.toISOString());

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

const short = (text: string): string => (text.length > MAX_REASON ? `${cutText(text, MAX_REASON)} …` : text);

const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
