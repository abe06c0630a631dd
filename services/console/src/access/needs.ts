// The callers that a route of the management API serves, as data beside its path.
import type { Role } from '@landfall/contracts';
import type { Caller, Guest, Session } from './caller.ts';

/** A thing that a path or a body may name. The team of the thing decides. */
export type Thing = 'app' | 'team' | 'link' | 'notification';

export interface NeedsRole {
  /** `instance-owner` is the owner role of the installation. A caller with another role there gets 403. */
  role: Role | 'instance-owner';
  of: Thing;
  /** The place of the thing's id (`appId`, `teamId`, `linkId` or `notificationId`). Defaults to the path. */
  in?: 'body';
  /**
   * `tokens`: refuses personal tokens, whatever the person may do, and visitors of the public demo. `visitors`: refuses
   * only visitors, because the answer names people.
   */
  except?: 'tokens' | 'visitors';
}

/**
 * `anyone`: also callers who are not signed in. `person`: a session, not a token. `signed-in`: a session or any token.
 * `instance-owner`: an owner of the installation, or the operator. `operator`: a program with an owner token, not a
 * person. `guest`: somebody with the address of a share, and nobody else.
 */
export type Need = 'anyone' | 'guest' | 'person' | 'signed-in' | 'instance-owner' | 'operator' | NeedsRole;

/** A list needs all its members. */
export type Needs = Need | readonly Need[];

export type CallerOf<N extends Needs> = N extends 'anyone'
  ? Caller | null
  : N extends 'guest'
    ? Guest
    : N extends 'person' | readonly ['person', ...unknown[]]
      ? Session
      : Caller;

export const isForGuests = (needs: Needs): boolean => needsList(needs).includes('guest');

export const needsList = (needs: Needs): readonly Need[] => (Array.isArray(needs) ? needs : [needs as Need]);

export const idOf = (thing: Thing): string => `${thing}Id`;

/** Returns the needs as a sentence for the OpenAPI document. */
export const sayNeeds = (needs: Needs): string => `Needs ${needsList(needs).map(sayNeed).join(', and ')}.`;

function sayNeed(need: Need): string {
  if (need === 'anyone') return 'nothing: it is open to everyone';
  if (need === 'guest') return 'the secret of a share: `Authorization: Share lfs_…`';
  if (need === 'person') return 'a session: tokens are not accepted';
  if (need === 'signed-in') return 'a session or a token';
  if (need === 'operator') return 'an owner token';
  if (need === 'instance-owner') return 'an owner of the installation';
  const whose = need.of === 'team' ? 'the team' : `the team of the ${need.of}`;
  const where = need.in === 'body' ? ' that the body names' : '';
  const who = need.role === 'instance-owner' ? 'an owner of the installation' : `the role ${need.role} in ${whose}`;
  return `${who}${where}${need.except === 'tokens' ? ', and no token of a person' : ''}`;
}
