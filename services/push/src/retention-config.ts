// The retention settings of push.
import { integer } from '@landfall/runtime';
import { z } from 'zod';

export const PushRetentionConfig = z.object({
  KEEP_PUSH_DAYS: integer(30, 3650)
    .default(90)
    .describe('Days that notifications, what became of them and who opened them are kept, at least 30.'),
  KEEP_DEVICE_DAYS: integer(30, 3650)
    .default(270)
    .describe('Days that a device that does not register again is kept. Firebase refuses tokens after 270.'),
});
