export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}

type Cell = string | number | null | undefined;

const shown = (cell: Cell): string => (cell === null || cell === undefined || cell === '' ? '-' : visible(`${cell}`));

export function table<R>(rows: readonly R[], cells: Readonly<Record<string, (row: R) => Cell>>): string[] {
  if (rows.length === 0) return ['None.'];
  return columns([Object.keys(cells), ...rows.map((row) => Object.values(cells).map((of) => shown(of(row))))]);
}

export const facts = (of: Readonly<Record<string, Cell>>): string[] =>
  columns(Object.entries(of).map(([name, value]) => [name, shown(value)]));

/** Escapes text from outside. On a terminal, it must neither break lines nor send control characters. */
export const visible = (text: string): string => text.replace(/\p{Cc}|\p{Cf}/gu, escaped);
const escaped = (char: string): string => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`;
