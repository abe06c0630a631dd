// Lays out a table as plain text.

/** Returns lines with aligned columns: the first one to the left, the others to the right. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd();
  return all.map(line);
}

/** Returns lines with a name and a text each. */
export function list(entries: readonly { readonly name: string; readonly says: string }[]): string[] {
  const width = Math.max(...entries.map(({ name }) => name.length));
  return entries.map(({ name, says }) => `${name.padEnd(width)}  ${says}`);
}
