// Finds secrets that other people may know.

const FEW_CHARACTERS = 8;

/** Text that is not random: words with spaces, a usual placeholder, or a few characters repeated. */
export const isGuessable = (secret: string): boolean =>
  new Set(secret).size < FEW_CHARACTERS ||
  /\s|change.?me|example|password|secret|landfall|12345678|abcdefgh/i.test(secret);
