// Checks what people type: emails, names and passwords. Two emails that look the same must be the same email. Names are
// read by others in lists, pages and logs.
import { text } from '../fields.ts';

/** Characters without a shape of their own: joiners, direction marks, fillers, blanks, control characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const ASCII = /[\0-\x7f]/;
/** Host names treat these characters as a dot. */
const DOTS = /[\u3002\uff61]/;

/** True when compatibility forms or case change a character to ASCII, such as `ａ`, `ﬁ`, `K` or `ſ`. */
const foldsToAscii = (character: string): boolean =>
  !ASCII.test(character) &&
  [character.normalize('NFKC'), character.toLowerCase(), character.toUpperCase()].some((form) => ASCII.test(form));

/** Checks whether an email has an invisible character, or one that another system converts to ASCII. */
export const isDeceptive = (email: string): boolean =>
  INVISIBLE.test(email) || DOTS.test(email) || [...email].some(foldsToAscii);

/** Whole emoji: flags and families consist of characters that are invisible alone. */
const EMOJI = /\p{RGI_Emoji}/gv;
/** Variants of a character: of an emoji, of an ideograph in a Japanese name, of a Mongolian letter. */
const VARIANTS =
  /(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gv;
/** Scripts that need joiners between their letters, such as Persian and Sinhala. */
const JOINED =
  '[[\\p{L}\\p{M}]&&[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Nko}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]]';
const JOINERS = new RegExp(`(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`, 'gv');
/** Control and format characters, line breaks, direction marks, and characters without a shape. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/v;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/v;

/** Returns whether the name has a character that nobody sees, or one that changes how the text around it is read. */
export const hasHidden = (name: string): boolean =>
  HIDDEN.test(name.replace(EMOJI, '').replace(VARIANTS, '').replace(JOINERS, ''));

/** Returns the name without blanks at its ends and without hidden characters, for names that somebody else sends. */
export const cleanName = (name: string): string =>
  hasHidden(name)
    ? [...name.replace(/\s+/g, ' ')]
        .filter((one) => !HIDDEN.test(one))
        .join('')
        .trim()
    : name.trim();

/** The name of a person, a team or an app, from outside. Blanks at its ends are removed. */
export const nameText = (max: number) =>
  text(max)
    .transform((name) => name.trim())
    .refine((name) => VISIBLE.test(name), { error: 'must not be blank' })
    .refine((name) => !hasHidden(name), {
      error: 'must have no line break, and no invisible or direction character',
    })
    .meta({ minLength: 1 });

const PASSWORD_MIN = 10;
/** Checks the length in characters after normalisation. A letter with an accent is one character. */
export const isLongEnough = (typed: string): boolean => [...typed.normalize('NFKC')].length >= PASSWORD_MIN;
/** A new password as the person typed it. */
export const passwordText = () =>
  text(1_024)
    .refine(isLongEnough, { error: `must have at least ${PASSWORD_MIN} characters` })
    .meta({ minLength: PASSWORD_MIN, format: 'password' });
