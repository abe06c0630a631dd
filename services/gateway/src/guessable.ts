// Whether a secret is one that somebody else may know.

const FEW_CHARACTERS = 8;

/** What nobody types by chance: words with spaces, one of the usual stand-ins, or a few characters again and again. */
export const isGuessable = (secret: string): boolean =>
  new Set(secret).size < FEW_CHARACTERS ||
  /\s|change.?me|example|password|secret|landfall|12345678|abcdefgh/i.test(secret);
