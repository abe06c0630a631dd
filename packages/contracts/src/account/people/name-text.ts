// Checks the names that people give to themselves, teams and apps. Others read them in lists, pages and logs.
import { text } from '../../fields.ts';

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
