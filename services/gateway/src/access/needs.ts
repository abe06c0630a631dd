// The callers that a route of the management API serves, as data beside its path.
import type { Role } from '@landfall/contracts';
import type { Caller, Session } from './principal.ts';

/** The kinds of things that a path or a body names. The team of the thing decides. */
export type Thing = 'app' | 'team' | 'link' | 'notification';

/** A role in the team that the thing belongs to. */
export interface NeedsRole {
  /** `instance-owner`: of the installation; whoever has another role there is told that theirs is too small. */
  role: Role | 'instance-owner';
  of: Thing;
  /**
   * The field that names the thing, such as `appId`, `teamId`, `linkId` or `notificationId`. In the path when left out.
   */
  in?: 'body';
  /** A program with somebody's token may not, whatever its person may. */
  except?: 'tokens';
}

/**
 * `anyone`: also who has not signed in. `person`: a session, no token. `signed-in`: a session, or any token.
 * `instance-owner`: an owner of the installation, or the operator. `operator`: whoever holds an owner token, and no person.
 */
export type Need = 'anyone' | 'person' | 'signed-in' | 'instance-owner' | 'operator' | NeedsRole;

/** All of a list must hold. */
export type Needs = Need | readonly Need[];

/** The caller, as a handler sees them after the checks. */
export type CallerOf<N extends Needs> = N extends 'anyone'
  ? Caller | null
  : N extends 'person' | readonly ['person', ...unknown[]]
    ? Session
    : Caller;

export const needsList = (needs: Needs): readonly Need[] => (Array.isArray(needs) ? needs : [needs as Need]);

/** The name of the field that names a thing. */
export const idOf = {
  app: 'appId',
  team: 'teamId',
  link: 'linkId',
  notification: 'notificationId',
} as const satisfies Record<Thing, string>;

/** For the OpenAPI document. */
export function sayNeeds(needs: Needs): string {
  return `Needs ${needsList(needs).map(sayNeed).join(', and ')}.`;
}

function sayNeed(need: Need): string {
  if (need === 'anyone') return 'nothing: it is for anyone';
  if (need === 'person') return 'a session: it is for people, not for tokens';
  if (need === 'signed-in') return 'a session or a token';
  if (need === 'operator') return 'an owner token';
  if (need === 'instance-owner') return 'an owner of the installation';
  const whose = need.of === 'team' ? 'the team' : `the team of the ${need.of}`;
  const where = need.in === 'body' ? ' that the body names' : '';
  const who = need.role === 'instance-owner' ? 'an owner of the installation' : `the role ${need.role} in ${whose}`;
  return `${who}${where}${need.except === 'tokens' ? ', and no token of a person' : ''}`;
}
