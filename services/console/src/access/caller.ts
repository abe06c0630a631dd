import type { Role, Scope } from '@landfall/contracts';
import type { KnownShare } from '../shares/share-repository.ts';

/** A person in a browser. */
export interface Session {
  kind: 'session';
  sessionId: string;
  userId: string;
  instanceOwner: boolean;
  /** The person's roles, by team. */
  roles: ReadonlyMap<string, Role>;
  /** The person's other teams: they need a second factor, and the person has none. */
  closed: ReadonlySet<string>;
  /** True when the person has a second factor, or came by the OpenID Connect provider. */
  isStrong: boolean;
  signedInAt: Date;
}

/** A program with the rights of a person in one team, or fewer. */
export interface PersonToken {
  kind: 'token';
  tokenId: string;
  userId: string;
  teamId: string;
  /** The role of the person. */
  role: Role;
  scope: Scope;
}

/** A program with the owner token of the installation. */
export interface Operator {
  kind: 'operator';
  tokenId: string;
}

/** Somebody who is not signed in, where a team is open to everyone (`DEMO_TEAM`). A viewer of that team, and no more. */
export interface Visitor {
  kind: 'visitor';
  teamId: string;
}

/** Somebody who has the address of a share. They have no role anywhere, so no other route knows them. */
export interface Guest {
  kind: 'guest';
  share: KnownShare;
  /** What the password of the share gave. Nobody has checked it. */
  pass: string | null;
}

export type Caller = Session | PersonToken | Operator | Visitor;
