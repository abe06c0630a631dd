// Escapes text from outside. On a terminal, it must neither break lines nor send control characters.

export const visible = (text: string): string => text.replace(/\p{Cc}|\p{Cf}/gu, escaped);
const escaped = (char: string): string => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`;
