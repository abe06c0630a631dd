// Checks the emails of people. Two emails that look the same must be the same email.

/**
 * Characters that are invisible or have no shape of their own: joiners, direction marks, fillers, blanks, control
 * characters.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const ASCII = /[\0-\x7f]/;
/** Host names treat these characters as a dot. */
const DOTS = /[\u3002\uff61]/;

/**
 * True for a character outside ASCII that compatibility forms or case change to ASCII, such as `ａ`, `ﬁ`, `K` or `ſ`.
 */
const foldsToAscii = (character: string): boolean =>
  !ASCII.test(character) &&
  [character.normalize('NFKC'), character.toLowerCase(), character.toUpperCase()].some((form) => ASCII.test(form));

/** Checks whether an email has an invisible character, or one that another system converts to ASCII. */
export const isDeceptive = (email: string): boolean =>
  INVISIBLE.test(email) || DOTS.test(email) || [...email].some(foldsToAscii);
