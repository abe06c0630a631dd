// Checks whether somebody else may know a secret.

const FEW_CHARACTERS = 8;

/** True for words with spaces, a usual placeholder, or a few characters that repeat. */
export const isGuessable = (secret: string): boolean =>
  new Set(secret).size < FEW_CHARACTERS ||
  /\s|change.?me|example|password|secret|landfall|12345678|abcdefgh/i.test(secret);
