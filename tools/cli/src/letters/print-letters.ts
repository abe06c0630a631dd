import type { StoredLetter } from '@landfall/bus';
import { cutText } from '@landfall/contracts';
import { columns, facts, table, visible } from '../table.ts';

const MAX_REASON = 120;

/** @param left the number of letters that are not shown because they were replayed or dropped */
export function listText(letters: readonly StoredLetter[], left: number): string {
  const [were, them] = left === 1 ? ['was', 'it'] : ['were', 'them'];
  const hint = left === 0 ? [] : [`${left} more ${were} replayed or dropped: --all shows ${them}, too.`];
  if (letters.length === 0) return ['No dead letters.', ...hint].join('\n');
  const rows = table(letters, {
    GROUP: ({ group }) => group,
    PLACE: ({ place }) => place,
    TIME: timeOf,
    MESSAGE: ({ message }) => message,
    'MESSAGE ID': ({ messageId }) => messageId,
    ATTEMPTS: ({ attempts }) => attempts,
    REPLAYED: ({ replayed }) => yesOrNo(replayed),
    DROPPED: ({ dropped }) => yesOrNo(dropped),
    REASON: ({ reason }) => (reason.length > MAX_REASON ? `${cutText(reason, MAX_REASON)} …` : reason),
  });
  return [...rows, ...hint].join('\n');
}

export function letterText(letter: StoredLetter): string {
  const { group, place, message, messageId, key, attempts, reason, replayed, dropped, data, headers = {} } = letter;
  const { topic, partition, offset } = letter;
  const lines = facts({
    group,
    place,
    time: timeOf(letter),
    message,
    'message id': messageId,
    key,
    attempts,
    replayed: yesOrNo(replayed),
    dropped: yesOrNo(dropped),
    reason,
    ...(topic !== undefined && { 'found first': `${topic}, partition ${partition}, offset ${offset}` }),
  });
  const shown = typeof data === 'string' ? visible(data) : visibleLines(JSON.stringify(data, null, 2));
  const headed = columns(Object.entries(headers).map(([name, value]) => [`  ${visible(name)}`, visible(value)]));
  return [...lines, ...(headed.length > 0 ? ['headers', ...headed] : []), 'data', shown].join('\n');
}

/** A message that could not be read may have no time. */
const timeOf = ({ at }: StoredLetter): string => (Number.isNaN(at.getTime()) ? '-' : at.toISOString());

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
