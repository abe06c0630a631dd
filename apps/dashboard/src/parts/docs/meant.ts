/** What people search, and the words of the documentation for it. */
const MEANT: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\b(?:2fa|mfa|two[- ]?(?:factor|step)\w*)\b/g, 'second factor'],
  [/\bk8s\b/g, 'kubernetes'],
  [/\bgdpr\b/g, 'personal data'],
  [/\bshortio\b/g, 'short.io'],
  [/\b(?:roll(?:ing)? ?back|downgrad\w+)\b/g, 'go back version'],
  [/\btrouble ?shoot\w*/g, 'doctor'],
  [/\b(?:forg[eo]t\w*|lost|reset\w*|chang\w+) (?:my |the |a )?password\b/g, 'new password sign-in page'],
  [/\blog ?in\b/g, 'sign in'],
  [/\b(?:teammate|colleague|co-?worker)s?\b/g, 'invite person'],
  [/\b(?:delet|remov)\w+ (?:a |the |my )?links?\b/g, 'archive link'],
  [/\b(?:does ?n[o'’]?t|do not|not|never) open(?:s|ing)?\b/g, 'real phone'],
  [/\bdeferred deep ?links?(?:ing)?\b/g, 'matching'],
  [/\battribution\b/g, 'matching'],
  [/\bnotifications?\b/g, 'push'],
  [/\bcustom slugs?\b/g, 'short address'],
];

/** Returns the words in those of the documentation. */
export const inOurWords = (words: string): string =>
  MEANT.reduce((text, [said, meant]) => text.replace(said, meant), words.toLowerCase());

const FILLERS = new Set(
  'a an and are can do does for from how i in is it my no not of on or the this to what when where why with'.split(' '),
);

/** Whether a word says nothing of what somebody searches. */
export const isFiller = (word: string): boolean => FILLERS.has(word);
