// Text from outside on a terminal: it must neither break lines nor speak to the terminal.

export const visible = (text: string): string => text.replace(/\p{Cc}|\p{Cf}/gu, escaped);
const escaped = (char: string): string => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`;
