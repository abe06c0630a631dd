// Messages about sessions. A session is a browser in which a person is signed in.
import { z } from 'zod';
import { event } from '../../define.ts';
import { instant, text, uuid } from '../../fields.ts';

/** A session, as its person sees it. */
export const Session = z.object({
  id: uuid(),
  userId: uuid(),
  createdAt: instant(),
  lastSeenAt: instant(),
  /** The session ends at this time at the latest, even if it is used. */
  endsAt: instant(),
  /** The name of the browser, for example `Firefox on Windows`. */
  userAgent: text(300),
});
export type Session = z.output<typeof Session>;

export const SessionUsed = event({
  name: 'SessionUsed',
  description: 'A session was used. Sent at most once in five minutes for each session and console.',
  audience: 'internal',
  producer: 'console',
  topic: 'session.used',
  data: z.object({ sessionId: uuid().describe('The session.') }),
  key: (data) => data.sessionId,
});
