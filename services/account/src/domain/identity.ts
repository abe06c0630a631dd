// Decides who may sign in through a provider for the first time.

/** The facts about the person. */
export interface Newcomer {
  /** By the provider. */
  emailVerified: boolean;
  /** The person with the email here; null: nobody. */
  person: {
    hasPassword: boolean;
    /** The provider has vouched for them as somebody else. */
    hasIdentity: boolean;
    /** They have signed in in this browser. */
    browserKnown: boolean;
  } | null;
  /** By their email. */
  invited: boolean;
  /** A person with such an email needs no invitation. */
  ofOwnDomain: boolean;
}

export type NotLetIn = 'EMAIL_NOT_VERIFIED' | 'NO_ACCOUNT' | 'OTHER_IDENTITY' | 'PASSWORD_FIRST';

/**
 * Null: they get in. An account with a password may have been made by somebody else who held the invitation, and an email may
 * have been given to another person since: only who has opened the account in this browser before is its person for certain.
 */
export function refuseNewcomer({ emailVerified, person, invited, ofOwnDomain }: Newcomer): NotLetIn | null {
  if (!emailVerified) return 'EMAIL_NOT_VERIFIED';
  if (!person) return invited || ofOwnDomain ? null : 'NO_ACCOUNT';
  if (person.hasIdentity) return 'OTHER_IDENTITY';
  return person.hasPassword && !person.browserKnown ? 'PASSWORD_FIRST' : null;
}
