// What became of taps.
import { z } from 'zod';
import { MatchType } from './attribution.ts';
import { Platform } from './client.ts';
import { requestsOf } from './define.ts';
import { hash, instant, text, uuid } from './fields.ts';

const { query } = requestsOf('attribution');

export const MOST_PENDING_LINKS = 100;

export const FindTap = query('FindTap', {
  description: 'Finds the tap with an id, which waits or waited for an install.',
  input: z.object({ appId: uuid(), tapId: uuid() }),
  reply: z.object({ tap: z.object({ tapId: uuid(), linkId: uuid(), at: instant() }).nullable() }),
  key: (input) => input.appId,
});

export const FindPendingLinks = query('FindPendingLinks', {
  description:
    'Finds what became of taps by their ids. A tap that never waited for an install, or is forgotten, is not there.',
  input: z.object({
    appId: uuid(),
    /** The link of all of them. */
    linkId: uuid(),
    ids: z.array(uuid()).max(MOST_PENDING_LINKS),
  }),
  reply: z.object({
    pendingLinks: z.array(
      z.object({
        id: uuid(),
        tappedAt: instant(),
        platform: Platform.nullable(),
        /**
         * `open`: no device got it so far. `given`: a restore gave it to a device. `joined`: closed with another tap of
         * the same browser, which was given. `opened`: the installed app opened the link.
         */
        state: z.enum(['open', 'given', 'joined', 'opened']),
        /** The restore that closed it. Of an open one, the latest restore that considered it. */
        restoreId: uuid().nullable(),
        /** The device of a given one. */
        device: hash().nullable(),
        matchType: MatchType.nullable(),
        /** The reason of this restore, as a sentence. */
        reason: text(300).nullable(),
      }),
    ),
  }),
  key: (input) => input.appId,
});
