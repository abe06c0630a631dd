// Messages about sessions. A session is a browser in which a person is signed in.
import { z } from 'zod';
import { event } from '../../define.ts';
import { hash, instant, text, uuid } from '../../fields.ts';
import { Person } from './people.ts';

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

/** The fields of a new session. The gateway makes the id of the session, and sends only the SHA-256 of the id. */
export const sessionMade = z.object({
  hash: hash(),
  userAgent: text(300),
  /**
   * The SHA-256 of the id of this browser's earlier session. The new session ends the earlier session. Null: the
   * browser has no earlier session.
   */
  replaces: hash().nullable().default(null),
});
/** The SHA-256 of the value that this browser gets. The value identifies the browser at the next sign-in. */
export const newDeviceHash = () => hash().nullable().default(null);
/** The result of a sign-in. */
export const signedIn = { session: Session, person: Person };

export const SessionUsed = event({
  name: 'SessionUsed',
  description: 'A session was used. Sent at most once in five minutes for each session and gateway.',
  audience: 'internal',
  producer: 'gateway',
  topic: 'session.used',
  data: z.object({ sessionId: uuid().describe('The session.') }),
  key: (data) => data.sessionId,
});
