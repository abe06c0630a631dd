/**
 * Decodes a file. Returns null when it is not Unicode: an older code page is never guessed, because the bytes of one are
 * letters of all others.
 */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-16 has its byte order mark always. UTF-8 may have one. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
