// Sessions: the browsers in which somebody is signed in.
import { z } from 'zod';
import { event, request } from '../../define.ts';
import { hash, instant, text, uuid } from '../../fields.ts';
import { Membership, Person } from './people.ts';
import { actor } from './rights.ts';

/** A session as its person sees it. */
export const Session = z.object({
  id: uuid(),
  userId: uuid(),
  createdAt: instant(),
  lastSeenAt: instant(),
  /** Whatever is done with it, it ends then. */
  endsAt: instant(),
  /** What the browser is called: `Firefox on Windows`. */
  userAgent: text(300),
});
export type Session = z.output<typeof Session>;

/** What a session is made with: the gateway made its id, and gives only its SHA-256. */
export const sessionMade = z.object({
  hash: hash(),
  userAgent: text(300),
  /** SHA-256 of the id of the session that this browser has had, which ends; null: it had none. */
  replaces: hash().nullable().default(null),
});
/** SHA-256 of what this browser is given, by which it is known when somebody signs in again. */
export const newDeviceHash = () => hash().nullable().default(null);
/** What whoever signs in gets. */
export const signedIn = { session: Session, person: Person };

export const FindSession = request({
  kind: 'query',
  name: 'FindSession',
  description: 'The person of a session, with what they may do, by the hash of its id.',
  topic: 'account.queries',
  input: z.object({ hash: hash() }),
  reply: z.object({
    sessionId: uuid(),
    userId: uuid(),
    instanceOwner: z.boolean(),
    memberships: z.array(Membership).max(1_000),
    /** It ends then unless it is used before. */
    idleUntil: instant(),
    endsAt: instant(),
  }),
  refusals: { SESSION_UNKNOWN: z.object({}) },
  key: (input) => input.hash,
});

export const ListSessions = request({
  kind: 'query',
  name: 'ListSessions',
  description: 'The live sessions of a person, the one that was used last first.',
  topic: 'account.queries',
  input: z.object({ userId: uuid() }),
  reply: z.object({ sessions: z.array(Session) }),
  refusals: {},
  key: (input) => input.userId,
});

export const EndSessions = request({
  kind: 'command',
  name: 'EndSessions',
  description: 'Ends one session of a person, or all of them but one.',
  topic: 'account.commands',
  input: z.object({
    actor: actor(),
    userId: uuid(),
    /** Null: all. */
    sessionId: uuid().nullable(),
    /** Stays, where all others end. */
    except: uuid().nullable(),
  }),
  reply: z.object({ ended: z.int().min(0) }),
  refusals: { SESSION_NOT_FOUND: z.object({}) },
  key: (input) => input.userId,
});

export const SessionUsed = event({
  name: 'SessionUsed',
  description: 'A session was used. Told at most once in five minutes for each session and gateway.',
  audience: 'internal',
  producer: 'gateway',
  topic: 'session.used',
  data: z.object({ sessionId: uuid().describe('The session.') }),
  key: (data) => data.sessionId,
});
