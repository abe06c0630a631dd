// Messages about sessions. A session is a browser in which a person is signed in.
import { z } from 'zod';
import { event, request } from '../../define.ts';
import { hash, instant, text, uuid } from '../../fields.ts';
import { Membership, Person } from './people.ts';
import { actor } from './rights.ts';

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

export const FindSession = request({
  kind: 'query',
  name: 'FindSession',
  description: 'Finds the person of a session and their rights, by the hash of its id.',
  topic: 'account.queries',
  input: z.object({ hash: hash() }),
  reply: z.object({
    sessionId: uuid(),
    userId: uuid(),
    instanceOwner: z.boolean(),
    memberships: z.array(Membership).max(1_000),
    /** The session ends at this time if it is not used before. */
    idleUntil: instant(),
    endsAt: instant(),
  }),
  refusals: { SESSION_UNKNOWN: z.object({}) },
  key: (input) => input.hash,
});

export const ListSessions = request({
  kind: 'query',
  name: 'ListSessions',
  description: 'Lists the live sessions of a person, the last used first.',
  topic: 'account.queries',
  input: z.object({ userId: uuid() }),
  reply: z.object({ sessions: z.array(Session) }),
  refusals: {},
  key: (input) => input.userId,
});

export const EndSessions = request({
  kind: 'command',
  name: 'EndSessions',
  description: 'Ends one session of a person, or all except one.',
  topic: 'account.commands',
  input: z.object({
    actor: actor(),
    userId: uuid(),
    /** Null: all sessions. */
    sessionId: uuid().nullable(),
    /** The session that does not end. */
    except: uuid().nullable(),
  }),
  reply: z.object({ ended: z.int().min(0) }),
  refusals: { SESSION_NOT_FOUND: z.object({}) },
  key: (input) => input.userId,
});

export const SessionUsed = event({
  name: 'SessionUsed',
  description: 'A session was used. Sent at most once in five minutes for each session and gateway.',
  audience: 'internal',
  producer: 'gateway',
  topic: 'session.used',
  data: z.object({ sessionId: uuid().describe('The session.') }),
  key: (data) => data.sessionId,
});
