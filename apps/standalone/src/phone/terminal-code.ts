// Draws a QR code in the terminal.
import { renderUnicodeCompact } from 'uqr';

const WHITE_ON_BLACK = '\u001b[97;40m';
const RESET = '\u001b[0m';

/**
 * Returns the lines of a code. Its characters draw the light parts.
 * @param colours false for a terminal without colours. Then the code is readable on a dark ground only.
 */
export function terminalCode(text: string, colours: boolean): string[] {
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n');
  return colours ? lines.map((line) => WHITE_ON_BLACK + line + RESET) : lines;
}
