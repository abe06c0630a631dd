// Which emails a person of the installation may have: what two people read as the same email must be the same email.

/** Invisible or without a shape of their own: joiners, marks of direction, fillers, blanks, control characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const ASCII = /[\0-\x7f]/;
/** Names of hosts take them for a dot. */
const DOTS = /[\u3002\uff61]/;

/** A character outside ASCII that becomes one inside it by compatibility forms or by case, such as `ａ`, `ﬁ`, `K` or `ſ`. */
const foldsToAscii = (character: string): boolean =>
  !ASCII.test(character) &&
  [character.normalize('NFKC'), character.toLowerCase(), character.toUpperCase()].some((form) => ASCII.test(form));

/** Whether an email has a character that nobody sees, or that another system takes for an ASCII character. */
export const isDeceptive = (email: string): boolean =>
  INVISIBLE.test(email) || DOTS.test(email) || [...email].some(foldsToAscii);
