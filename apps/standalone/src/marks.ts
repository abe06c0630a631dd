/**
 * Returns the page with a generated part replaced, which stands between two marks. Throws when they are missing.
 * @param comment how a comment of this kind of file begins and ends
 */
export function withPart(
  file: string,
  page: string,
  name: string,
  part: string,
  [begin, close] = ['<!-- ', ' -->'],
): string {
  const start = `${begin}${name}: made by \`npm run docs\`${close}`;
  const end = `${begin}end of ${name}${close}`;
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} must hold ${start} and ${end}`);
  return `${before}${start}\n${part}\n${end}${after}`;
}

/** In Markdown. The first row is the header. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  lines.splice(1, 0, `|${'---|'.repeat(rows[0]!.length)}`);
  return lines.join('\n');
}

export const code = (text: string): string => `\`${text}\``;
