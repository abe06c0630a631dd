const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** The longest emoji of Unicode has 35 code units. */
const LONGEST = 64;

/**
 * Returns at most the first `max` UTF-16 code units. No character is cut in two, as a person sees characters: an emoji,
 * a flag or a letter with its accents is whole or left out. Half a surrogate pair becomes U+FFFD.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed();
  const near = text.slice(0, max + LONGEST).toWellFormed();
  const start = graphemes.segment(near).containing(max)!.index;
  // One character with hundreds of accents: code points must do.
  const whole = max - start < LONGEST ? near.slice(0, start) : near.slice(0, max);
  const last = whole.charCodeAt(whole.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? whole.slice(0, -1) : whole;
}
