// Reads CSV by RFC 4180 to the letter. Nothing is guessed: what the RFC does not allow is a fault of its row.

export type CsvFault = 'quoteInside' | 'afterQuote' | 'openQuote' | 'curlyQuote';

export interface CsvRow {
  /** The number that spreadsheets show. A cell with line breaks is in one row. */
  number: number;
  cells: string[];
  fault: CsvFault | null;
}

/** After such a fault, nobody knows which line breaks end a row. */
export const isBroken = ({ fault }: CsvRow): boolean => fault !== null && fault !== 'curlyQuote';

const LINE_END = /\r\n|[\r\n]/g;

/** A row ends with CR LF, LF or CR. Without a separator, each line is one cell. */
export function* csvRows(text: string, separator: string | null): Generator<CsvRow> {
  const cellEnd = separator === null ? /[\r\n]/g : new RegExp(`[${separator}\\r\\n]`, 'g');
  let at = 0;

  function next(pattern: RegExp): number {
    pattern.lastIndex = at;
    return pattern.exec(text)?.index ?? text.length;
  }

  function quoted(): { cell: string; fault: CsvFault | null } {
    let cell = '';
    for (;;) {
      const quote = text.indexOf('"', at + 1);
      if (quote < 0) {
        at = text.length;
        return { cell, fault: 'openQuote' };
      }
      cell += text.slice(at + 1, quote);
      at = quote + 1;
      if (text[at] !== '"') return { cell, fault: next(cellEnd) === at ? null : 'afterQuote' };
      cell += '"';
    }
  }

  function plain(): { cell: string; fault: CsvFault | null } {
    const cell = text.slice(at, next(cellEnd));
    if (cell.includes('"')) return { cell, fault: 'quoteInside' };
    at += cell.length;
    return { cell, fault: hasOpenCurlyQuote(cell) ? 'curlyQuote' : null };
  }

  for (let number = 1; at < text.length; number++) {
    const row: CsvRow = { number, cells: [], fault: null };
    for (;;) {
      const { cell, fault } = text[at] === '"' ? quoted() : plain();
      row.cells.push(cell);
      row.fault ??= fault;
      if (isBroken({ ...row, fault })) at = next(LINE_END);
      if (separator === null || text[at] !== separator) break;
      at++;
    }
    yield row;
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

/** Word processors write `“b, c”` for `"b, c"`. The separator inside has cut such a text in two then. */
const hasOpenCurlyQuote = (cell: string): boolean =>
  [/[“”„‟]/g, /[«»]/g].some((pair) => (cell.match(pair)?.length ?? 0) % 2 === 1);

/** Null when it is not Unicode. An older code page is never guessed: the bytes of one are letters of all others. */
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
