// Decides who may sign in through a provider for the first time.

export interface Newcomer {
  emailVerified: boolean;
  /** The existing person with this email. Null: there is none. */
  person: {
    hasPassword: boolean;
    /** The provider has already linked another identity to this person. */
    hasIdentity: boolean;
    /** This person has signed in from this browser before. */
    browserKnown: boolean;
    /** The account was made by an invitation, and nobody has confirmed its email. */
    claimable: boolean;
    instanceOwner: boolean;
  } | null;
  invited: boolean;
  /** The email has a domain that needs no invitation. */
  ofOwnDomain: boolean;
}

export type NotLetIn = 'EMAIL_NOT_VERIFIED' | 'NO_ACCOUNT' | 'OTHER_IDENTITY' | 'PASSWORD_FIRST';

/**
 * Returns the reason for a refusal. Null: the person may sign in. Another person who had the invitation may have made
 * an account with a password. The email may also belong to a new person since then. So with a password, only someone
 * who has signed in from this browser before is certainly the right person. An account that was never confirmed goes
 * to the owner of its email ({@link takesOver}).
 */
export function refuseNewcomer(newcomer: Newcomer): NotLetIn | null {
  const { emailVerified, person, invited, ofOwnDomain } = newcomer;
  if (!emailVerified) return 'EMAIL_NOT_VERIFIED';
  if (!person) return invited || ofOwnDomain ? null : 'NO_ACCOUNT';
  if (person.hasIdentity) return 'OTHER_IDENTITY';
  return person.hasPassword && !person.browserKnown && !takesOver(newcomer) ? 'PASSWORD_FIRST' : null;
}

/**
 * The newcomer gets an account that another person may have made with the newcomer's email. What that person knows must
 * then stop working. The rights of an owner of the instance never came with an email, so they do not go with one.
 */
export const takesOver = ({ emailVerified, person }: Newcomer): boolean =>
  emailVerified &&
  person?.claimable === true &&
  !person.instanceOwner &&
  !person.hasIdentity &&
  !(person.hasPassword && person.browserKnown);
