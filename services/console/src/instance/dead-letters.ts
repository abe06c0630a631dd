import type { StoredLetter } from '@landfall/bus';
import { text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';

/** The newest letters of a group that are shown. Whoever has more has one cause for most of them. */
const MOST = 200;

const group = () => text(300).min(1);

export const letterView = z.object({
  group: z.string().describe('The consumer group that gave up on the event, or the topic of the command.'),
  place: z.string().describe('The position in the group.'),
  message: z.string().describe('The name of the command or event.'),
  messageId: z.string(),
  key: z.string(),
  data: z.unknown().describe('The content. Sealed fields stay sealed.'),
  reason: z.string().describe('The error of the last attempt.'),
  attempts: z.int(),
  at: z.iso.datetime().nullable().describe('Null when the message could not be read.'),
  replayed: z.boolean(),
  replaying: z
    .boolean()
    .describe(
      'True while a replay of the letter goes on. Over Kafka never: a letter that fails again is not replayed.',
    ),
});

const viewLetter = (letter: StoredLetter): z.output<typeof letterView> =>
  letterView.parse({
    ...letter,
    attempts: Number.isNaN(letter.attempts) ? 0 : letter.attempts,
    at: Number.isNaN(letter.at.getTime()) ? null : letter.at.toISOString(),
    replaying: letter.replaying ?? false,
  });

export const listDeadLetters = manageRoute('GET /api/manage/dead-letters', {
  summary: `List the messages that failed too often, newest first; at most ${MOST} of each group, without those that an operator dropped`,
  needs: 'instance-owner',
  query: z.object({ group: group().optional().describe('If omitted: all groups.') }),
  reply: z.object({ groups: z.array(z.string()), letters: z.array(letterView) }),
  async handle({ query }, { deadLetters }: ConsoleParts) {
    const groups = await deadLetters.groups();
    const asked = query.group === undefined ? groups : groups.filter((name) => name === query.group);
    const lists = await Promise.all(asked.map((name) => deadLetters.list(name)));
    const letters = lists.flatMap((list) => list.filter(({ dropped }) => !dropped).slice(-MOST));
    return { groups, letters: letters.sort((a, b) => b.at.getTime() - a.at.getTime()).map(viewLetter) };
  },
});

export const replayDeadLetters = manageRoute('POST /api/manage/dead-letters/replay', {
  summary:
    'Send dead letters to their group again, with the same ids. A letter that fails again stays, with the new reason',
  needs: 'instance-owner',
  body: z.object({
    group: group(),
    places: z
      .array(text(100).min(1))
      .min(1)
      .max(1_000)
      .optional()
      .describe('The letters at these places. If omitted: all that were neither replayed nor dropped.'),
  }),
  reply: z.object({
    replayed: z
      .int()
      .describe('The number of replayed letters. In one process, letters that failed again are not counted.'),
    running: z
      .int()
      .describe(
        'The number of letters that are still being replayed after three seconds, in one process. They go on: `replaying` of the listed letters says which.',
      ),
  }),
  async handle({ actor, body: { group, places }, change }, { deadLetters, log }: ConsoleParts) {
    if (!(await deadLetters.groups()).includes(group)) throw wrong('group', 'must be a group with dead letters');
    if (places) {
      const known = new Set((await deadLetters.list(group)).map(({ place }) => place));
      const missing = places.find((place) => !known.has(place));
      if (missing !== undefined) throw wrong('places', `must be places of this group: ${missing} is none`);
    }
    const after = { group, letters: places?.length ?? 'all' };
    await change('ReplayDeadLetters', async ({ id }) => ({ subject: id, after, done: {} }));
    const { replayed, running } = await deadLetters.replay(group, places);
    const { kind, userId } = actor();
    log.info({ group, replayed, running, actor: kind, userId }, 'dead letters were replayed');
    return { replayed, running };
  },
});

const wrong = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);
