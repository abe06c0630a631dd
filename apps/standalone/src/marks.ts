// Parts of pages that are made of the code: they stand between two marks, so that they can be made anew.

/** The page with the part of that name made anew. Throws when its marks are not there. */
export function withPart(file: string, page: string, name: string, part: string): string {
  const start = `<!-- ${name}: made by \`npm run docs\` -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} must hold ${start} and ${end}`);
  return `${before}${start}\n${part}\n${end}${after}`;
}

/** A table in Markdown; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  lines.splice(1, 0, `|${'---|'.repeat(rows[0]!.length)}`);
  return lines.join('\n');
}

export const code = (text: string): string => `\`${text}\``;
